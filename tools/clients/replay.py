#!/usr/bin/env python3
"""Sends a recorded chapter's requests to a server and compares its answers with the recording.

Usage: replay.py SERVER [--token T] [--control URL] CHAPTER.json...

Prints a line for each step that differs, then for each chapter how many steps are equal, and last
'N passed, M failed'. fakeapi/testdata/real/README.md says what counts as equal. An `action` step is sent to the
server's control endpoints, or to those at --control URL: POST /relist/v1/compact, and POST /relist/v1/restart where the
cache starts empty.
"""
import json, re, socket, ssl, sys, threading, time, urllib.parse

args = [a for a in sys.argv[1:]]
TOKEN = None
if "--token" in args:
    i = args.index("--token")
    TOKEN = args[i + 1]
    del args[i:i + 2]
CONTROL = None
if "--control" in args:
    i = args.index("--control")
    CONTROL = urllib.parse.urlparse(args[i + 1])
    del args[i:i + 2]
SERVER, CHAPTERS = urllib.parse.urlparse(args[0]), args[1:]
COMPARED_HEADERS = ("content-type", "retry-after", "warning", "transfer-encoding", "content-encoding", "allow", "www-authenticate", "cache-control")


def control(what):
    """Something done to the server: by the server itself, or by whoever looks after it."""
    try:
        return exchange("POST", "/relist/v1/" + what, {}, {}, server=CONTROL or SERVER)
    except OSError:
        return None


def exchange(method, path, headers, body, limit_s=100.0, server=SERVER):
    s = socket.create_connection((server.hostname, server.port), timeout=10)
    if server.scheme == "https":
        c = ssl.create_default_context()
        c.check_hostname, c.verify_mode = False, ssl.CERT_NONE
        s = c.wrap_socket(s)
    h = {"Host": "fake", "Accept": "application/json", "Connection": "close"}
    if TOKEN:
        h["Authorization"] = "Bearer " + TOKEN
    data = b""
    if body is not None:
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        h["Content-Type"], h["Content-Length"] = "application/json", str(len(data))
    for k, v in headers.items():
        h.pop(k, None) if v is None else h.__setitem__(k, v)
    s.sendall((f"{method} {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in h.items()) + "\r\n").encode() + data)
    buf, t0 = b"", time.time()
    s.settimeout(0.25)

    def more():
        nonlocal buf
        while time.time() - t0 < limit_s:
            try:
                d = s.recv(1 << 16)
            except (socket.timeout, TimeoutError):
                continue
            except OSError:
                return False
            buf += d
            return bool(d)
        return False

    while b"\r\n\r\n" not in buf:
        if not more():
            return {"status": 0, "headers": {}, "ended": "no answer", "text": buf.decode("utf-8", "replace")}, 0
    head, buf = buf.split(b"\r\n\r\n", 1)
    lines = head.decode().split("\r\n")
    hs = {k.strip().lower(): v.strip() for k, v in (l.split(":", 1) for l in lines[1:])}
    out, ended, chunks = b"", "?", []
    if hs.get("transfer-encoding") == "chunked":
        while ended == "?":
            while b"\r\n" not in buf and more():
                pass
            if b"\r\n" not in buf:
                ended = "connection closed without last chunk"
                break
            n, buf = buf.split(b"\r\n", 1)
            n = int(n.split(b";")[0], 16)
            while len(buf) < n + 2 and more():
                pass
            out, chunk, buf = out + buf[:n], buf[:n], buf[n + 2:]
            if n == 0:
                ended = "last chunk"
            else:
                chunks.append(chunk)
    else:
        n = int(hs["content-length"]) if "content-length" in hs else None
        while (n is None or len(buf) < n) and more():
            pass
        out, ended = buf, "content-length" if n is not None else "connection closed"
    s.close()
    return {"status": int(lines[0].split()[1]), "headers": hs, "ended": ended, "text": out.decode("utf-8", "replace"), "chunks": chunks}, time.time() - t0


class Chapter:
    def __init__(self):
        self.bound, self.used, self.saved, self.token_rv = {}, {}, {}, {}

    def fill(self, x):
        def sub(m):
            v = self.saved.get(m.group(1), m.group(0))
            return urllib.parse.quote(str(int(v) + int(m.group(2))) if m.group(2) else str(v), safe="")
        if isinstance(x, str):
            x = re.sub(r"\$\{x\*(\d+)\}", lambda m: "x" * int(m.group(1)), x)
            return re.sub(r"\$\{(\w+?)([+-]\d+)?\}", sub, x)
        if isinstance(x, dict):
            return {k: self.fill(v) for k, v in x.items()}
        return [self.fill(v) for v in x] if isinstance(x, list) else x

    def bind(self, name, value, where):
        if name.startswith("continue"):
            return [] if isinstance(value, str) and value else [f"{where}: not a token: {value}"]
        if name in self.bound:
            return [] if self.bound[name] == value else [f"{where}: {name} was {self.bound[name]}, is {value}"]
        if name.startswith(("rv", "uid")) and self.used.get(value, name) != name:
            return [f"{where}: {value} is both {self.used[value]} and {name}"]
        self.bound[name], self.used[value] = value, name
        return []

    def same(self, want, got, where, pod=False):
        if isinstance(want, dict):
            if not isinstance(got, dict):
                return [f"{where}: want an object, got {json.dumps(got)[:80]}"]
            bad = []
            for k, v in want.items():
                if k in got:
                    bad += self.same(v, got[k], f"{where}.{k}", pod)
                elif not (pod and (".spec" in where or ".status" in where or k in ("status",))):
                    bad.append(f"{where}.{k}: missing, want {json.dumps(v)[:80]}")
            bad += [f"{where}.{k}: not expected: {json.dumps(got[k])[:80]}" for k in got if k not in want and k != "managedFields"]
            return bad
        if isinstance(want, list):
            if not isinstance(got, list) or len(want) != len(got):
                return [f"{where}: want {len(want)} items, got {len(got) if isinstance(got, list) else json.dumps(got)[:80]}"]
            return [b for i, (w, g) in enumerate(zip(want, got)) for b in self.same(w, g, f"{where}[{i}]", pod)]
        if isinstance(want, str) and "${" in want:
            if want in ("${text}", "${address}"):
                return []
            if want == "${time}":
                return [] if re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", str(got)) else [f"{where}: not a time: {got}"]
            if want in ("${rv of the list}", "${rv of the bookmark}"):
                if not re.fullmatch(r"[1-9]\d*", str(got)):
                    return [f"{where}: not a resourceVersion: {got}"]
                return []
            m = re.fullmatch(r"\$\{(\w+)\}", want)
            if m:
                return self.bind(m.group(1), got, where)
            rx, names = "", []
            for part in re.split(r"(\$\{\w+\})", want):
                m = re.fullmatch(r"\$\{(\w+)\}", part)
                if not m:
                    rx += re.escape(part)
                elif m.group(1) == "n":
                    rx += r"\d+"
                elif m.group(1) in ("text", "address"):
                    rx += ".*"
                else:
                    rx, names = rx + r"([\w-]+)", names + [m.group(1)]
            m = re.fullmatch(rx, str(got), re.S)
            if not m:
                return [f"{where}: want {want!r}, got {got!r}"]
            return [b for n, v in zip(names, m.groups()) for b in self.bind(n, v, where)]
        return [] if want == got else [f"{where}: want {json.dumps(want)[:160]}, got {json.dumps(got)[:160]}"]


def position(ch, step, body):
    """What the resourceVersion of a list must be: the one asked for, the first page's, or none below its objects'."""
    meta, query = body.get("metadata", {}), urllib.parse.parse_qs(urllib.parse.urlparse(ch.fill(step["request"]["path"])).query)
    if "items" not in body or not str(meta.get("resourceVersion", "")).isdigit():
        return []
    one = lambda k: query.get(k, [""])[0]
    rv, asked, token = meta["resourceVersion"], one("resourceVersion"), one("continue")
    if meta.get("continue"):
        ch.token_rv[meta["continue"]] = rv
    exact = one("resourceVersionMatch") == "Exact" or one("limit") not in ("", "0") and asked not in ("", "0") and not one("resourceVersionMatch")
    if token and ch.token_rv.get(token, rv) != rv:
        return [f"a page's resourceVersion: want the first page's, {ch.token_rv[token]}, got {rv}"]
    if exact and rv != asked:
        return [f"an exact list's resourceVersion: want {asked}, got {rv}"]
    low = [i["metadata"]["resourceVersion"] for i in body["items"] if "metadata" in i and int(i["metadata"].get("resourceVersion", 0)) > int(rv)]
    return [f"the list is at {rv}, but holds an object at {low[0]}"] if low else []


def compare(ch, step, got, took):
    want, bad = step["response"], []
    if want["status"] != got["status"]:
        return [f"status: want {want['status']}, got {got['status']} {got['text'][:200]}"]
    for k in COMPARED_HEADERS:
        if k == "transfer-encoding" and "events" not in want:
            continue
        w, g = want["headers"].get(k), got["headers"].get(k)
        if k == "content-type" and "protobuf" in str(w) and g == "application/json":
            continue
        if w != g:
            bad.append(f"header {k}: want {w}, got {g}")
    pod = "/pods" in step["request"]["path"]
    if "took_s" in want and abs(took - want["took_s"]) > 1.5:
        bad.append(f"took {took:.1f} s, want {want['took_s']} s")
    if want.get("headers_only"):
        return bad
    if "events" in want:
        if want["ended"] != got["ended"]:
            bad.append(f"ended: want {want['ended']}, got {got['ended']}")
        lines = [l for l in got["text"].split("\n") if l.strip()]
        try:
            events = [json.loads(l) for l in lines]
        except ValueError as e:
            return bad + [f"a line of the watch is not JSON: {e}"]
        # A server may send any number of plain bookmarks, so long as some come where some came.
        plain = lambda e: e["type"] == "BOOKMARK" and not e["object"]["metadata"].get("annotations")
        wb, gb = sum(map(plain, want["events"])), sum(map(plain, events))
        if "allowWatchBookmarks=true" not in step["request"]["path"] and gb or wb and not gb:
            bad.append(f"bookmarks: want {'some' if wb else 'none'}, got {gb}")
        we, ge = [e for e in want["events"] if not plain(e)], [e for e in events if not plain(e)]
        if [e["type"] for e in we] != [e["type"] for e in ge]:
            bad.append(f"events: want {[e['type'] for e in we]}, got {[e['type'] for e in ge]}")
        else:
            bad += [b for i, (w, g) in enumerate(zip(we, ge)) for b in ch.same(w, g, f"event[{i}]", pod)]
    elif "body" in want:
        try:
            body = json.loads(got["text"])
        except ValueError:
            return bad + [f"body is not JSON: {got['text'][:120]}"]
        if want["status"] == 200:
            bad += position(ch, step, body)
        if step.get("partial"):
            body = trim(want["body"], body)
        bad += ch.same(want["body"], body, "body", pod)
        if want.get("body_ends_with_newline") is not None and want["body_ends_with_newline"] != got["text"].endswith("\n"):
            bad.append(f"body ends with newline: want {want['body_ends_with_newline']}")
    elif "body_text" in want:
        bad += ch.same(want["body_text"], got["text"], "body")
    return bad


def trim(want, got):
    """A partial step records some of the answer: keep of the answer what the recording has."""
    if isinstance(want, dict) and isinstance(got, dict):
        out = {}
        for k, v in got.items():
            if k in want:
                out[k] = trim(want[k], v)
        return out
    if isinstance(want, list) and isinstance(got, list):
        key = lambda x: next((x[k] for k in ("subresource", "resource", "name", "version", "groupVersion", "responseKind") if isinstance(x, dict) and k in x), None)
        if want and all(isinstance(x, dict) for x in want) and key(want[0]) is not None:
            by = {str(key(x)): x for x in got if isinstance(x, dict)}
            return [trim(w, by[str(key(w))]) for w in want if str(key(w)) in by]
        if len(want) == len(got):
            return [trim(w, g) for w, g in zip(want, got)]
    return got


passed = failed = 0
for path in CHAPTERS:
    control("reset")  # a server without it has to be fresh
    doc, ch, ok, total, open_ = json.load(open(path)), Chapter(), 0, 0, []
    results = []

    def run(step):
        rq = step["request"]
        try:
            got, took = exchange(rq["method"], ch.fill(rq["path"]), rq.get("headers", {}), ch.fill(rq.get("body")))
        except OSError as e:
            got, took = {"status": 0, "headers": {}, "ended": str(e), "text": str(e)}, 0
        return step, got, took

    for step in doc["steps"]:
        if "sleep_s" in step:
            time.sleep(step["sleep_s"])
            continue
        if "action" in step:
            control("compact")
            if "restart" in step["action"]:
                control("restart")
            continue
        if "wait" in step:
            for t, _ in open_:
                t.join()
            open_ = []
            continue
        if step.get("background"):
            box = []
            t = threading.Thread(target=lambda s=step, b=box: b.append(run(s)))
            t.start()
            time.sleep(0.3)
            open_.append((t, box))
            results.append(box)
            continue
        r = run(step)
        results.append([r])
        if "save" in step:
            try:
                v = json.loads(r[1]["text"])
                for name, where in step["save"].items():
                    x = v
                    for part in where.split("."):
                        x = x[part]
                    ch.saved[name] = x
            except (ValueError, KeyError, TypeError):
                pass
    for t, _ in open_:
        t.join()
    for (box,) in results:
        step, got, took = box
        bad = compare(ch, step, got, took)
        total += 1
        ok += not bad
        for b in bad[:6]:
            print(f"{doc['chapter']}: {step['name']}: {b}")
    print(f"{doc['chapter']}: {ok} of {total} steps equal")
    passed, failed = passed + ok, failed + total - ok
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
