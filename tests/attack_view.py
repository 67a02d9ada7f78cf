"""Attacks `sinew view`: foreign Host and Origin, wrong tokens, path tricks, slow and broken requests.

usage: attack_view.py SINEW FILE [COUNT [SECONDS]]    COUNT malformed requests (default 1500; 100000 takes about half a minute),
then SECONDS (default 3) of clients that come and go, read slowly, end in the middle or send nonsense: memory and open files must not grow
"""
import json
import os
import random
import re
import select
import socket
import struct
import subprocess
import sys
import time

command, path = sys.argv[1:3]
count = int(sys.argv[3]) if len(sys.argv) > 3 else 1500
soak_seconds = float(sys.argv[4]) if len(sys.argv) > 4 else 3.0
content = open(path, "rb").read()
server = subprocess.Popen([command, "view", "--no-open", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
address = server.stdout.readline().decode().strip()
port, token = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})", address).groups()
port = int(port)


def send(data, timeout=10.0):
    """Everything the server says to these bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as s:
        try:
            s.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass
        parts = []
        while True:
            try:
                part = s.recv(65536)
            except ConnectionResetError:
                break
            if not part:
                break
            parts.append(part)
        return b"".join(parts)


def ask(target, host=None, method="GET", version="HTTP/1.1", **headers):
    host = f"127.0.0.1:{port}" if host is None else host
    lines = [f"{method} {target} {version}", f"Host: {host}"] + [f"{k.replace('_', '-')}: {v}" for k, v in headers.items()]
    return send("\r\n".join(lines + ["", ""]).encode("latin-1"))


def code(answer):
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def check(claim, got, want):
    if got != want:
        server.kill()
        sys.exit(f"{claim}: {got!r}, not {want!r}")


own = f"?token={token}"
# What is allowed.
page = ask("/" + own)
check("the page", code(page), 200)
assert b"Content-Encoding: gzip" in page and b"X-Frame-Options: DENY" in page and b"no-store" in page
files = ask("/files" + own)
check("names", json.loads(files.split(b"\r\n\r\n", 1)[1])["files"], [path.rsplit("/", 1)[-1]])
check("bytes of the file", ask("/file/0" + own).split(b"\r\n\r\n", 1)[1], content)
check("localhost", code(ask("/" + own, host=f"localhost:{port}")), 200)
check("own origin", code(ask("/files" + own, Origin=f"http://127.0.0.1:{port}", Sec_Fetch_Site="same-origin")), 200)

# What is not.
for host in ["example.com", f"example.com:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", f"127.0.0.1:{port}.example.com", f"[::1]:{port}", "", "127.0.0.1:" + str(port) + "x"]:
    check(f"host {host}", code(ask("/" + own, host=host)), 403)
for origin in ["http://example.com", "null", f"https://127.0.0.1:{port}", f"http://127.0.0.1:{port}@example.com", "http://127.0.0.1", "file://"]:
    check(f"origin {origin}", code(ask("/files" + own, Origin=origin)), 403)
for site in ["cross-site", "same-site"]:
    for target in ["/files", "/file/0", "/alive"]:
        check(f"{target} sent by {site}", code(ask(target + own, Sec_Fetch_Site=site)), 403)
    check(f"the page, sent by {site} without the token", code(ask("/", Sec_Fetch_Site=site)), 403)
check("the page, where a file with the token leads to it", code(ask("/" + own, Sec_Fetch_Site="cross-site")), 200)
for line in ["Host : x", " Host: x", "Ho st: x", "X\tY: z", ": empty", "no colon", "X-\x80: y"]:
    check(f"header {line!r}", code(send(f"GET /{own} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{line}\r\n\r\n".encode("latin-1"))), 400)
for wrong in ["", "?token=", "?token=" + token[:-1], "?token=" + token + "0", "?token=" + "0" * 32, "?Token=" + token, "?x=" + token, "?token=" + token.upper() + "x", "?token=%30"]:
    for target in ["/", "/files", "/file/0", "/alive"]:
        check(f"token {wrong}", code(ask(target + wrong)), 403)
for trick in ["/../etc/passwd", "/file/../file/0", "/file/1", "/file/-1", "/file/+0", "/file/00000000000", "/file/0/", "/file/0%00", "/file/", "/%2e%2e/etc/passwd", "//", "/file/0x0", "/file/99999999999999999999", "/files/", "/sinew.html", "/file/ 0", "http://127.0.0.1/"]:
    check(f"path {trick}", code(ask(trick.replace(" ", "%20") + own)), 404)
for method in ["POST", "HEAD", "OPTIONS", "PUT", "get", "CONNECT", "TRACE", "GETX"]:
    check(f"method {method}", code(ask("/" + own, method=method)), 405)
check("no version", code(ask("/" + own, version="HTTP/2.0")), 400)
check("two hosts", code(send(f"GET /{own} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())), 400)
check("no host", code(send(f"GET /{own} HTTP/1.1\r\nAccept: */*\r\n\r\n".encode())), 400)
check("a head without end", code(send(b"GET / HTTP/1.1\r\n" + b"X: " + b"a" * 9000)), 431)

# It listens on loopback only.
with open("/proc/net/tcp") as table:
    listening = [line.split()[1] for line in table if line.split()[3] == "0A" and line.split()[1].endswith(f":{port:04X}")]
check("listens on", listening, [f"0100007F:{port:04X}"])

# Clients that stay: 80 that say nothing, then 64 that send a byte at a time and come back when they are ended, keep nobody out.
idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(80)]
check("the page beside 80 silent connections", code(ask("/" + own)), 200)
for s in idle:
    s.close()
drip, answered = [], 0
for n in range(193):
    for k in range(64):
        if len(drip) <= k:
            drip.append(socket.create_connection(("127.0.0.1", port)))
        try:
            drip[k].send(b"G")
        except OSError:
            drip[k].close()
            drip[k] = socket.create_connection(("127.0.0.1", port))
    answered += code(ask("/files" + own)) == 200
for s in drip:
    s.close()
check("good requests answered beside 64 that drip", answered, 193)

# Malformed requests, many at a time: mutations of a good one, and noise.
chance = random.Random(1)
good = f"GET /file/0{own} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nAccept: */*\r\n\r\n".encode()


def malformed():
    kind = chance.randrange(5)
    if kind == 0:
        return chance.randbytes(chance.randrange(1, 200)) + b"\r\n\r\n"
    data = bytearray(good)
    if kind == 1:
        for _ in range(chance.randrange(1, 8)):
            data[chance.randrange(len(data))] = chance.randrange(256)
    elif kind == 2:
        del data[chance.randrange(len(data)) :]
    elif kind == 3:
        at = chance.randrange(len(data))
        data[at:at] = chance.randbytes(chance.randrange(1, 30))
    else:
        data = bytearray(b"GET /" + b"?&=%/"[: chance.randrange(6)] * chance.randrange(400) + b" HTTP/1.1\r\n" + b":" * chance.randrange(50) + b"\r\n\r\n")
    return bytes(data)


def read_away(s):
    try:
        return len(s.recv(1 << 16))
    except (ConnectionError, BlockingIOError):
        return 0


sent = 0
while sent < count:
    batch = []
    for _ in range(min(32, count - sent)):
        s = socket.create_connection(("127.0.0.1", port))
        try:
            s.sendall(malformed())
            s.shutdown(socket.SHUT_WR)  # what is not complete now never will be
        except (BrokenPipeError, ConnectionResetError, OSError):
            pass
        batch.append(s)
    waiting, end = list(batch), time.time() + 20
    while waiting:
        ready = select.select(waiting, [], [], max(0, end - time.time()))[0]
        if not ready:
            sys.exit("a malformed request was never answered nor closed")
        waiting = [s for s in waiting if s not in ready or read_away(s)]
    for s in batch:
        s.close()
    sent += len(batch)
    if server.poll() is not None:
        sys.exit(f"the server died after {sent} malformed requests: {server.stderr.read().decode()[-800:]}")

# Clients of every kind at once, for a while.
def held():
    """Bytes of memory and open files of the server."""
    with open(f"/proc/{server.pid}/status") as status:
        memory = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS:"))
    return memory, len(os.listdir(f"/proc/{server.pid}/fd"))


def visit(kinds):
    """One client: its socket, which is kept for a while where it reads slowly or says nothing."""
    kind = chance.choice(["page", "file", "file", "names", "slow", "silent", "reset", "half", "malformed", "malformed"])
    kinds[kind] = kinds.get(kind, 0) + 1
    if kind in ("page", "file", "names"):
        answer = ask({"page": "/", "file": "/file/0", "names": "/files"}[kind] + own)
        check(f"the {kind}", code(answer), 200)
        if kind == "file":
            check("bytes of the file", answer.split(b"\r\n\r\n", 1)[1], content)
        return None
    s = socket.create_connection(("127.0.0.1", port), timeout=10)
    try:
        if kind == "reset":  # ends in the middle of the answer, with a reset
            s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            s.sendall(good)
            s.recv(100)
        elif kind == "half":
            s.sendall(good[: chance.randrange(len(good))])
        elif kind == "malformed":
            s.sendall(malformed())
        elif kind == "slow":
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            s.sendall(good.replace(b"/file/0", b"/"))
            s.recv(1)
            return s
        elif kind == "silent":
            return s
    except (ConnectionError, socket.timeout):
        pass
    s.close()
    return None


begun, kinds, staying, first = time.time(), {}, [], None
while time.time() - begun < soak_seconds:
    stays = visit(kinds)
    if stays:
        staying.append(stays)
    if len(staying) > 20:  # the server has room for 64
        staying.pop(chance.randrange(len(staying))).close()
    if first is None and time.time() - begun > soak_seconds / 5:
        first = held()
for s in staying:
    s.close()
check("the page after clients of every kind", code(ask("/" + own)), 200)
time.sleep(0.3)
last = held()
# With a sanitizer freed memory is kept for a while to see it used.
if last[0] > first[0] + (1 << 20) and b"asan" not in open(f"/proc/{server.pid}/maps", "rb").read():
    sys.exit(f"memory grows: {first[0]} bytes, then {last[0]} after {sum(kinds.values())} clients")
if last[1] > first[1] + 1:
    sys.exit(f"open files grow: {first[1]}, then {last[1]}")
check("the page after all that", code(ask("/" + own)), 200)
check("the file after all that", ask("/file/0" + own).split(b"\r\n\r\n", 1)[1], content)
server.terminate()
check("the server ends when told", server.wait(10), 0)
check("it said nothing on stderr", server.stderr.read(), b"")
print(f"{count} malformed requests, and every trick was refused; then {sum(kinds.values())} clients in {soak_seconds:g} s ({kinds}): "
      f"{first[0] >> 10} kB and {first[1]} open files, at the end {last[0] >> 10} kB and {last[1]}")
