// One client of the loop: its bytes in and out, and its end.
#include <sys/epoll.h>

#include <algorithm>
#include <array>

#include "fakeapi/front/http_server_loop.h"

namespace relist::fakeapi {
namespace {

constexpr int kPieces = 512;
constexpr int kReadsATurn = 8;
constexpr size_t kBytesATurn = 1 << 20;   // written to one client before others have their turn
constexpr Duration kLinger = Seconds(1);  // real time for a client to close after us
constexpr Duration kSilence =
    Seconds(30);  // real time without progress on an answer before a close
constexpr Duration kRetryReset = Millis(1);

constexpr std::string_view kPlainAnswer =
    "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n";

}  // namespace

void ServerLoop::OnSocket(Client& client, uint32_t events) {
  if (client.dead) return;
  if (client.connection == nullptr) {
    if ((events & EPOLLERR) != 0 || client.stream.DrainRaw()) Kill(client);
    return;
  }
  if ((events & EPOLLOUT) != 0) client.write_blocked = false;
  const bool gone = (events & (EPOLLERR | EPOLLHUP)) != 0;
  if (client.connection->WantsRead()) {
    ReadFrom(client);
  } else if (gone || (events & EPOLLRDHUP) != 0) {
    client.peer_done = true;
    client.connection->PeerClosed(now_);
  }
  if (client.dead) return;
  if (gone && client.peer_done) {
    Kill(client);
  } else {
    ServeRestarted();  // before who asked for it is told that it is done
    Serve(client);
  }
}

void ServerLoop::ReadFrom(Client& client) {
  for (int i = 0; i < kReadsATurn; ++i) {
    if (!client.connection->WantsRead() || client.peer_done) return;
    size_t n = 0;
    const ServerStream::Io io = client.stream.Read(buffer_.data(), buffer_.size(), &n);
    if (io == ServerStream::Io::kBlocked) return;
    if (io != ServerStream::Io::kOk) return HearEnd(client, io);
    client.connection->Receive(now_, std::string_view(buffer_.data(), n));
    // A short read emptied the socket. TLS gives a record at a time, whole, as the buffer is longer
    // than any: what is left after the last turn of this loop lies in the socket, and epoll knows
    // of it.
    if (tls_ == nullptr && n < buffer_.size()) return;
  }
}

void ServerLoop::HearEnd(Client& client, ServerStream::Io how) {
  client.connection->PeerClosed(now_);
  if (how == ServerStream::Io::kPlainOverTls) {
    client.stream.WriteRaw(kPlainAnswer);
    return LetGo(client);
  }
  client.peer_done = true;
  if (how != ServerStream::Io::kEof) Kill(client);
}

// Brings a client up to date after anything happened to it: output, fate, what to wait for.
void ServerLoop::Serve(Client& client) {
  if (client.dead || client.connection == nullptr) return;
  ServerConnection& connection = *client.connection;
  if (!Flush(client)) return Kill(client);
  if (connection.fate() != ServerConnection::Fate::kOpen) {
    if (connection.queued() == 0 && !client.stream.wants_write()) return Finish(client);
    if (client.give_up == kNever) client.give_up = now_ + clock_.FromReal(kSilence);
  }
  if (connection.is_waiting()) {
    waiting_.insert(client.number);
  } else if (!waiting_.empty()) {
    waiting_.erase(client.number);
  }
  UpdateInterest(client);
  UpdateTimer(client);
}

// False if the peer is gone.
bool ServerLoop::Flush(Client& client) {
  std::array<iovec, kPieces> pieces;
  size_t budget = kBytesATurn;
  while (!client.write_blocked && (client.connection->HasOutput() || client.stream.wants_write())) {
    const int count = client.connection->Gather(pieces.data(), kPieces);
    size_t n = 0;
    const ServerStream::Io io = client.stream.Write(pieces.data(), count, &n);
    if (io == ServerStream::Io::kBlocked) {
      client.write_blocked = true;
    } else if (io != ServerStream::Io::kOk) {
      if (!client.peer_done) client.connection->PeerClosed(now_);
      return false;
    } else {
      if (n > 0) client.connection->Sent(now_, n);
      if (client.give_up != kNever) client.give_up = now_ + clock_.FromReal(kSilence);
      budget -= std::min(budget, n);
    }
    if (budget > 0) continue;
    MarkReady(client);
    return true;
  }
  return true;
}

// All is said: closes as the connection's fate says.
void ServerLoop::Finish(Client& client) {
  if (client.connection->fate() == ServerConnection::Fate::kReset) {
    // A reset throws away what the peer's kernel has not taken yet: the bytes before the cut must
    // be there first.
    if (UnsentBytes(client.stream.fd()) > 0) {
      if (client.give_up == kNever) client.give_up = now_ + clock_.FromReal(kLinger);
      UpdateInterest(client);
      return Arm(client, now_ + clock_.FromReal(kRetryReset));
    }
    return Kill(client);
  }
  LetGo(client);
}

// Nothing more is said; the client has a moment to hear it.
void ServerLoop::LetGo(Client& client) {
  client.stream.ShutdownWrite();
  if (stopping_) client.stream.DrainRaw();
  if (client.peer_done || stopping_) return Kill(client);
  // Closing now would reset the connection if the client is still sending, and take our last words
  // from it.
  waiting_.erase(client.number);
  client.connection.reset();
  client.give_up = now_ + clock_.FromReal(kLinger);
  UpdateInterest(client);
  UpdateTimer(client);
}

void ServerLoop::Kill(Client& client) {
  if (client.dead) return;
  client.dead = true;
  if (client.connection != nullptr) {
    client.connection->PeerClosed(now_);
    if (client.connection->fate() == ServerConnection::Fate::kReset) {
      ResetOnClose(client.stream.fd());
    }
  }
  Arm(client, kNever);
  waiting_.erase(client.number);
  client.stream.Close();
  dead_.push_back(client.number);
}

void ServerLoop::MarkReady(Client& client) {
  if (client.in_ready || client.dead) return;
  client.in_ready = true;
  ready_.push_back(&client);
}

void ServerLoop::MarkWoken(Client& client) {
  if (client.in_woken || client.dead) return;
  client.in_woken = true;
  woken_.push_back(&client);
}

void ServerLoop::UpdateInterest(Client& client) {
  uint32_t wanted = 0;
  if (client.connection == nullptr || client.connection->WantsRead()) wanted |= EPOLLIN;
  if (!client.peer_done) wanted |= EPOLLRDHUP;
  if (client.peer_done) wanted &= ~static_cast<uint32_t>(EPOLLIN);
  if (client.write_blocked || client.stream.wants_write()) wanted |= EPOLLOUT;
  if (wanted == client.interest) return;
  client.interest = wanted;
  epoll_event event{wanted, {.u64 = client.number}};
  epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, client.stream.fd(), &event);
}

void ServerLoop::UpdateTimer(Client& client) {
  TimePoint next = client.give_up;
  if (client.connection != nullptr) next = std::min(next, client.connection->NextDeadline());
  Arm(client, next);
}

void ServerLoop::Arm(Client& client, TimePoint next) {
  if (next == client.armed) return;
  if (client.armed != kNever) timers_.erase({client.armed, client.number});
  client.armed = next;
  if (next != kNever) timers_.emplace(next, client.number);
}

}  // namespace relist::fakeapi
