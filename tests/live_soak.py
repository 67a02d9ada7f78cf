#!/usr/bin/env python3
"""`sinew live` for long: a simulated server, a client with pages that read and one that stops, VMC out, a record. Says latency, losses and
whether memory grew. Exit 1: frames were lost by the solver, memory grew by more than a megabyte after the first ten seconds (a fifth of the
time where that is shorter), or it ended badly.
usage: live_soak.py SINEW [SECONDS] [RATE] [PEOPLE]   default: 10 s, 240 Hz, 1"""
import base64, json, os, pathlib, re, shutil, signal, socket, subprocess, sys, tempfile, threading, time

sinew = sys.argv[1]
seconds, rate, people = (float(w) for w in (sys.argv[2:] + ["10", "240", "1"][len(sys.argv) - 2:])[:3])
folder = pathlib.Path(tempfile.mkdtemp())
capture, actor = folder / "walk.c3d", folder / "a.actor"
for words in (["synth", capture, "--motion", "walk", "--seconds", 8, "--rate", 120, "--markers", "anatomical"], ["solve", capture, "--save-actor", actor]):
    subprocess.run([sinew, *map(str, words)], check=True, capture_output=True)
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
    s.bind(("127.0.0.1", 0))
    port = s.getsockname()[1]
server = subprocess.Popen([sinew, "live", "--simulate", "natnet", str(capture), "--listen", f"127.0.0.1:{port}", "--speed", str(rate / 120)],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
time.sleep(0.5)
client = subprocess.Popen([sinew, "live", "--natnet", f"127.0.0.1:{port}", *["--actor", str(actor)] * int(people), "--vmc", "127.0.0.1:39999",
                           "--page", "--record", str(folder / "came.c3d"), "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
page, token = re.search(r"http://127.0.0.1:(\d+)/\?token=(\w+)", client.stderr.readline()).groups()
key = base64.b64encode(os.urandom(16)).decode()
is_over, shown = threading.Event(), [0, 0]


def look(n, reads):
    s = socket.create_connection(("127.0.0.1", int(page)), 5)
    s.sendall(f"GET /live?token={token} HTTP/1.1\r\nHost: 127.0.0.1:{page}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode())
    s.settimeout(0.5)
    while not is_over.is_set():
        try:
            shown[n] += len(s.recv(1 << 20)) if reads else time.sleep(0.2) or 0
        except socket.timeout:
            pass
        except OSError:
            return


def drain():
    for _ in client.stderr:
        pass


threads = [threading.Thread(target=look, args=(n, True), daemon=True) for n in range(2)] + [threading.Thread(target=look, args=(0, False), daemon=True),
                                                                                        threading.Thread(target=drain, daemon=True)]
for t in threads:
    t.start()


def resident():
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{client.pid}/status").read_text())[1])


begun, first = time.time(), None
while time.time() - begun < seconds and client.poll() is None:
    time.sleep(0.2)
    if first is None and time.time() - begun > min(10, seconds / 5):
        first = resident()
last = resident() if client.poll() is None else -1
client.send_signal(signal.SIGINT)
is_over.set()
out = client.stdout.read()
client.wait(30)
server.terminate()
server.wait(10)
report = json.loads(out)
source = report["sources"][0]
kept = json.loads(subprocess.run([sinew, "info", str(folder / "came.c3d"), "--json"], capture_output=True, text=True).stdout)["frames"]
print(f"{report['frames']} frames of {int(people)} people at {source['rate']:.0f} Hz for {seconds:.0f} s, 2 pages that read ({shown[0] + shown[1]} bytes), 1 that stopped")
print(f"frame in to pose out: median {report['latency_median_us']:.0f} us, p99 {report['latency_p99_us']:.0f} us (goals 500, 2000)")
print(f"lost on the way {source['lost']}, not solved {report['skipped']}, not sent {report['unsent']}, recorded {kept} of {source['frames']}; jitter {source['jitter_us']:.0f} us")
print(f"memory {first} kB, at the end {last} kB")
shutil.rmtree(folder)
bad = client.returncode or report["skipped"] or kept != source["frames"] or last - first > 1024
sys.exit(bool(bad))
