#include "reflector/rest/rest_request.h"

#include "reflector/rest/rest_client.h"
#include "reflector/rest/rest_retry.h"

namespace relist {
namespace {

// A conflict that the server did not explain is, of a POST, that the object exists (NET-07).
Error OfVerb(const std::string& method, Error error) {
  const bool unexplained = error.status.details && !error.status.details->causes.empty() &&
                           error.status.details->causes[0].reason == "UnexpectedServerResponse";
  if (method == "POST" && error.status.code == 409 && unexplained) {
    error.status.reason = "AlreadyExists";
  }
  return error;
}

}  // namespace

Result<ObjectRef> ObjectOf(Result<HttpAnswer> answer) {
  if (!answer.ok()) return answer.error();
  return Object::Parse(std::move(answer->body));
}

void AppendBody(const RestRequest& request, std::string* bytes) {
  const bool takes_one =
      request.method == "POST" || request.method == "PUT" || request.method == "PATCH";
  if (!request.body.empty()) *bytes += "Content-Type: " + request.content_type + "\r\n";
  if (takes_one || !request.body.empty()) {
    *bytes += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
  }
  *bytes += "\r\n" + request.body;
}

Task<Result<HttpAnswer>> RestClient::Do(RestRequest request, Signal& stop) {
  const std::string method = request.method;
  const std::shared_ptr<Recorder> recorder = request.recorder;
  const std::optional<Duration> timeout =
      request.timeout ? request.timeout : options_.list_deadline;
  Call call{std::move(request), method, /*watch=*/false, timeout, recorder};
  Task<Result<HttpAnswer>> finish = Finish(std::move(call), stop);
  Result<HttpAnswer> answer = co_await finish;
  if (!answer.ok()) co_return OfVerb(method, answer.error());
  if (recorder) recorder->Answer(answer->request, answer->status);
  // A body is looked at twice only where it may be a Status.
  if (answer->body.find("\"Status\"") != std::string::npos) {
    if (std::optional<Error> failure = FailureIn200("Status", answer->body)) co_return *failure;
  }
  co_return answer;
}

}  // namespace relist
