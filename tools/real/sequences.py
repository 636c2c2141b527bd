"""Random list-watch sequences, as steps whose requests hold names in place of what differs between servers.

`{rv:3}` is the resourceVersion of the sequence's fourth event, `{rv:3:-1}` the one before it, `{future}` a
resourceVersion that is far from being reached, `{token:5}` the continue token that step 5 got. One seed, one sequence.
"""

import base64
import dataclasses
import json
import random
import urllib.parse

NAMES = ["a", "b", "c", "d", "e", "f.g", "h-1"]
LABELS = {"app": ["web", "db", ""], "tier": ["1", "2", "10"], "x.y/z": ["v"]}


@dataclasses.dataclass
class Kind:
    name: str
    version: str  # apiVersion
    plural: str
    content: object  # of the count of writes: what the object has besides metadata
    fields: tuple = ()  # selectors of its own

    def root(self):
        return ("/apis/" if "/" in self.version else "/api/") + self.version


KINDS = [(Kind("ConfigMap", "v1", "configmaps", lambda n: {"data": {"n": str(n)}}), 7),
         (Kind("Secret", "v1", "secrets", lambda n: {"data": {"n": base64.b64encode(str(n).encode()).decode()}},
               ("type=Opaque", "type!=Opaque", "type=x,metadata.name=a", "type=")), 2),
         (Kind("Lease", "coordination.k8s.io/v1", "leases", lambda n: {"spec": {"holderIdentity": str(n)}}), 2)]


@dataclasses.dataclass
class Step:
    kind: str  # "write", "read", "watch" (runs beside the others), "last" (a watch that ends by itself, after all writes)
    method: str
    path: str
    query: list = dataclasses.field(default_factory=list)
    headers: dict = dataclasses.field(default_factory=dict)
    body: object = None

    def target(self, fill=lambda text: text):
        """The request target; `fill` puts values in the place of names."""
        query = "&".join(f"{name}={quoted(value, fill)}" for name, value in self.query)
        return self.path + ("?" + query if query else "")

    def __str__(self):
        said = "".join(f", {name}: {value}" for name, value in self.headers.items())
        sent = f", body {json.dumps(self.body)}" if self.body is not None else ""
        return f"{self.method} {self.target()}{said}{sent}"

    def asks(self, name):
        return next((value for key, value in self.query if key == name), None)


def quoted(value, fill):
    filled = fill(value)
    # A value with a percent sign is meant to go out as it is.
    return filled if "%" in filled else urllib.parse.quote(filled, safe="")


def token(version="meta.k8s.io/v1", rv=-1, start="b\0", **more):
    text = json.dumps({"v": version, "rv": rv, "start": start, **more})
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


# (value, weight): None leaves the parameter out.
BOOLS = [("true", 8), ("false", 2), ("1", 1), ("0", 1), ("", 1), ("False", 1), ("no", 1), ("t", 1), ("00", 1)]
MALFORMED = ["abc", "-1", "1.5", "+1", "18446744073709551616", " 1", "0x1", "1 ", "1e3", "%FF", "١", "1_0"]
NUMBERS = ["0", "-1", "abc", "1.5", "9223372036854775808", "+2", "", " 1", "007", "1_0"]
MATCHES = [(None, 10), ("Exact", 4), ("NotOlderThan", 4), ("", 1), ("exact", 1), ("Foo", 1), ('"', 1)]
LABEL_SELECTORS = ["app=web", "app==db", "app!=web", "app", "!app", "app in (web,db)", "app notin (web)", "tier>1", "tier<3",
                   "app=", "app in (web, ,)", "app=web,tier=1", " app = web , tier ", "x.y/z=v", "app in ()", "tier>a",
                   "app=web,", ",app=web", "app=we b", "app===web", "=", "app in web", "!app=web", "!", "app,!app",
                   "app=" + "w" * 64, "-bad=1", "app=web,app=db", "(", "app notin (web", "x/y/z=1", "app>=1", "App=web",
                   "tier=1,tier in (1,2),tier!=2", "app!=", "tier>-1", "tier>1.0", "app=%FF", "é=1", "a\n=b", "x_y.=1",
                   "app in (web,web)", "app in (web db)", "!app,tier", "app notin ()", "tier > 1 , tier < 10", "in", "in=1",
                   "notin in (a)", "app in (in,notin)", "/a=1", "a/=1"]
FIELD_SELECTORS = ["metadata.name=a", "metadata.name==b", "metadata.name!=a", "metadata.namespace={ns}",
                   "metadata.namespace=other", "metadata.name=zz", "metadata.name=a,metadata.namespace={ns}", "data.k=v",
                   "metadata.name", "metadata.name=", "metadata.name=a=b", "metadata.name=a,metadata.name=b", "=a", ",",
                   "metadata.name=a,", "metadata.name\\=a", "metadata.name=a\\,b", "metadata.name>a", "metadata.labels=x",
                   "metadata.name=a\\", "metadata.name=a\\x", "!metadata.name", " metadata.name=a", "metadata.name!=",
                   "metadata.namespace!={ns}", "metadata.name=A%00", "metadata.uid=1", "spec.x=1,metadata.name=a"]
TOKENS = [token(), token(start="/b\0"), token(rv=0), token(rv=-2), token(start=""), token(version="v1"), token(start="../b"),
          token(start="b/"), token(start="/"), token(start="//b"), "abc", "!!!", "", "e30", token(rv="1"), token(start=5),
          token(extra=1), token() + "=", "bnVsbA", "W10", "IiI", token(start="./b"), token(start="a/../b"), token(start="zzz"),
          token(rv=1.5), "e30K", token().replace("e", "é", 1), token(start=None), token(rv=None), "eyJ2IjoibWV0YS5rOHMuaW8vdjEi"]
JSON_FORMS = ["*/*", None, "application/*", "application/json;charset=utf-8", "application/json, */*", "application/json;q=0.5",
              "application/json;stream=watch", "application/json;pretty=1", "application/xml, application/json", ""]
TABLES = ["application/json;as=Table;v=v1;g=meta.k8s.io", "application/json;as=Table;v=v1beta1;g=meta.k8s.io",
          "application/json;as=Table;v=v1;g=meta.k8s.io, application/json", "application/yaml;as=Table;v=v1;g=meta.k8s.io"]
PARTIALS = ["application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
            "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
            "application/json;as=PartialObjectMetadataList;v=v1beta1;g=meta.k8s.io",
            "application/json;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io"]
ODD_FORMS = ["application/yaml", "text/html", "application/json;as=Table;v=v2;g=meta.k8s.io", "application/json;q=0",
             "application/json;as=Foo;v=v1;g=meta.k8s.io", "application/json;as=Table", "application/yaml, application/json",
             "application/json;as=Table;v=v2;g=meta.k8s.io, application/json", "application/json;stream=other", "json",
             "application/json;q=0.1, application/yaml;q=0.9", "application/cbor", "text/*", "application/yaml;q=2", "/", ";",
             "application/json;as=PartialObjectMetadataList;v=v1;g=other", "APPLICATION/JSON", "application/json;v=v1"]


class Sequence:
    """What to do next, given what happened so far: `note` tells it."""

    def __init__(self, seed, number, steps):
        self.random = random.Random(f"{seed}/{number}")
        self.name = f"z{number}-{seed}"
        self.kind = self.weighted(KINDS)
        self.base = f"{self.kind.root()}/namespaces/{self.name}/{self.kind.plural}"
        self.wide = f"{self.kind.root()}/{self.kind.plural}"
        self.length = steps
        self.events = 0   # so many are known by number
        self.tokens = []  # steps that got one, with their path and selectors
        self.live = {}    # name -> object as last answered
        self.count = 0

    def note(self, index, step, body, events):
        """Step `index` was answered with `body`, by both; `events` are known now."""
        self.events = events
        meta = body.get("metadata", {}) if isinstance(body, dict) else {}
        if isinstance(meta, dict) and meta.get("continue") and step.kind == "read":
            self.tokens.append((index, step))

    def steps(self):
        for _ in range(self.length):
            draw = self.random.random()
            if draw < 0.40 or self.events < 2:
                yield self.write()
            elif draw < 0.72:
                yield self.list()
            elif draw < 0.80:
                yield self.get()
            else:
                yield self.watch("watch")
        for _ in range(max(1, self.length // 10)):
            yield self.watch("last")

    def one(self, choices):
        return self.random.choice(choices)

    def weighted(self, choices):
        return self.random.choices([c for c, _ in choices], [w for _, w in choices])[0]

    def chance(self, share):
        return self.random.random() < share

    # --- writes

    def labels(self):
        labels = {} if self.chance(0.05) else {"seq": self.name}
        for key, values in LABELS.items():
            if self.chance(0.6):
                labels[key] = self.one(values)
        return labels

    def write(self):
        self.count += 1
        name = self.one(NAMES)
        dry = [("dryRun", "All")] if self.chance(0.07) else []
        draw = self.random.random()
        written = {"apiVersion": self.kind.version, "kind": self.kind.name,
                   "metadata": {"name": name, "labels": self.labels()}, **self.kind.content(self.count)}
        if self.chance(0.08):
            written["metadata"]["finalizers"] = ["x.y/hold"]
        if draw < 0.40:
            return Step("write", "POST", self.base, dry, {}, written)
        if draw < 0.55:
            return Step("write", "PUT", f"{self.base}/{name}", dry, {}, written)
        merge = {"Content-Type": "application/merge-patch+json"}
        if draw < 0.70:
            patch = {"metadata": {"labels": {key: self.one([*values, None]) for key, values in LABELS.items()}}}
            return Step("write", "PATCH", f"{self.base}/{name}", dry, merge, patch)
        if draw < 0.77:  # changes nothing, or takes the finalizer
            patch = self.one([{}, {"metadata": {"finalizers": None}}, {"metadata": {"labels": {"none": None}}}])
            return Step("write", "PATCH", f"{self.base}/{name}", dry, merge, patch)
        if draw < 0.80:
            return Step("write", "DELETE", self.base, [*dry, ("labelSelector", self.one(["app=web", "tier=1", "none"]))])
        return Step("write", "DELETE", f"{self.base}/{name}", dry)

    # --- reads

    def version(self, exact=False):
        draw = self.random.random()
        if draw < 0.35:
            return None
        if draw < 0.50:
            return "0"
        if draw < 0.85:
            return f"{{rv:{self.random.randrange(self.events)}{self.one(['', '', '', ':-1'])}}}"
        if draw < 0.87:
            return "{future}"
        return self.one([*MALFORMED, "", "00"])

    def selectors(self, wide):
        query = []
        if wide or self.chance(0.35):
            picked = self.one(LABEL_SELECTORS[:12] if self.chance(0.6) else LABEL_SELECTORS)
            if wide:
                picked = f"seq={self.name}" + (f",{picked}" if self.chance(0.5) else "")
            query.append(("labelSelector", picked))
        if self.chance(0.2):
            picked = self.one([*FIELD_SELECTORS[:7], *self.kind.fields] if self.chance(0.6) else FIELD_SELECTORS)
            query.append(("fieldSelector", picked.replace("{ns}", self.name)))
        return query

    def odds(self):
        """What hardly anybody sends."""
        query = []
        if self.chance(0.04):
            query.append(("timeoutSeconds", self.one(NUMBERS)))
        if self.chance(0.03):
            query.append(("timeout", self.one(["10s", "abc", "0", "-1s", "1", "", "1h"])))
        if self.chance(0.03):
            query.append(("pretty", self.weighted(BOOLS)))
        if self.chance(0.02):
            query.append(("foo", "bar"))
        return query

    def accept(self):
        if self.chance(0.65):
            return {}
        return {"Accept": self.one(self.one([JSON_FORMS, TABLES, PARTIALS, ODD_FORMS]))}

    def included(self, headers):
        if "Table" in (headers.get("Accept") or "") and self.chance(0.4):
            return [("includeObject", self.one(["None", "Metadata", "Object", "", "all"]))]
        return []

    def shuffled(self, query):
        if self.chance(0.03) and query:
            name, _ = self.one(query)
            query.append((name, self.one(["", "1", "true", "abc"])))  # the first one counts
            return query
        self.random.shuffle(query)
        return query

    def list(self):
        if self.tokens and self.chance(0.25):
            return self.next_page()
        wide = self.chance(0.1)
        query = self.selectors(wide) + self.odds()
        version, match = self.version(), self.weighted(MATCHES)
        if version is not None:
            query.append(("resourceVersion", version))
        if match is not None:
            query.append(("resourceVersionMatch", match))
        if not wide and self.chance(0.45):
            query.append(("limit", self.one(["1", "2", "3", "1", "2", "500", self.one(NUMBERS)])))
        if not wide and self.chance(0.05):
            query.append(("continue", self.one(TOKENS)))
        if self.chance(0.04):
            query.append(("sendInitialEvents", self.weighted(BOOLS)))
        if self.chance(0.03):
            query.append(("allowWatchBookmarks", self.weighted(BOOLS)))
        if self.chance(0.03):
            query.append(("watch", self.one(["false", "0", "FALSE"])))
        headers = self.accept()
        if self.chance(0.05):
            headers["Accept-Encoding"] = "gzip"
        query += self.included(headers)
        return Step("read", "GET", self.wide if wide else self.base, self.shuffled(query), headers)

    def next_page(self):
        """A token as it was meant, or with the rest of the query changed."""
        index, first = self.one(self.tokens)
        query = [(name, value) for name, value in first.query if name in ("labelSelector", "fieldSelector", "limit")]
        if self.chance(0.2):
            query = [(name, value) for name, value in query if self.chance(0.6)]
        if self.chance(0.2):
            query.append(("resourceVersion", self.version() or "0"))
        if self.chance(0.1):
            query.append(("resourceVersionMatch", self.one(["Exact", "NotOlderThan", ""])))
        if self.chance(0.2):
            query = [pair for pair in query if pair[0] != "limit"] + [("limit", self.one(["1", "2", "500"]))]
        query.append(("continue", f"{{token:{index}}}"))
        return Step("read", "GET", first.path, self.shuffled(query), self.accept())

    def get(self):
        query = self.odds()
        version = self.version()
        if version is not None:
            query.append(("resourceVersion", version))
        if self.chance(0.1):
            query.append(("resourceVersionMatch", self.one(["Exact", "Foo"])))
        if self.chance(0.1):
            query.append(("watch", "true"))
        headers = self.accept()
        query += self.included(headers)
        return Step("read", "GET", f"{self.base}/{self.one(NAMES)}", self.shuffled(query), headers)

    def watch(self, kind):
        wide = self.chance(0.15)
        query = self.selectors(wide) + self.odds()
        version = self.version()
        if version is not None:
            query.append(("resourceVersion", version))
        streams = self.chance(0.4)
        if streams:
            query.append(("sendInitialEvents", self.weighted(BOOLS)))
        match = ("NotOlderThan" if streams and self.chance(0.8) else self.weighted(MATCHES))
        if match is not None and (streams or self.chance(0.2)):
            query.append(("resourceVersionMatch", match))
        if self.chance(0.5):
            query.append(("allowWatchBookmarks", self.weighted(BOOLS)))
        if self.chance(0.05):
            query.append(("limit", self.one(["1", *NUMBERS])))
        if self.chance(0.04):
            query.append(("continue", self.one(TOKENS)))
        if kind == "last":
            timeout = self.one(["1", "1", "1", "2", "-1", "-5", "abc", "10000000000", "9223372037", "+1"])
        else:
            timeout = self.one(["0", "300", "3600"])
        query = [pair for pair in query if pair[0] != "timeoutSeconds"]
        if kind == "last" or self.chance(0.3):
            query.append(("timeoutSeconds", timeout))
        path = self.wide if wide else self.base
        if self.chance(0.06):
            path = path.replace(self.kind.root(), self.kind.root() + "/watch", 1)
            if not wide and self.chance(0.5):
                path += f"/{self.one(NAMES)}"
        else:
            query.append(("watch", self.one(["true", "true", "1", "", "True", "yes"])))
        headers = self.accept()
        query += self.included(headers)
        return Step(kind, "GET", path, self.shuffled(query), headers)
