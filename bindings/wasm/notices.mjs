// The licences of what is inside the files we build: our own, the C library that is linked into the WebAssembly modules, and the
// packages that are bundled into the page. Texts are read from where they are installed, whole, so that none can be out of date.
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const text = (path) => readFileSync(path, "utf8").trim();
const heading = (name) => `${name}\n${"=".repeat(name.length)}\n\n`;

/** `bundled`: names of npm packages whose code is in the file. */
export function notices(bundled) {
  const parts = [heading("Sinew") + text(join(root, "LICENSE"))];
  for (const name of bundled) {
    const folder = join(root, "node_modules", name);
    const { version } = JSON.parse(text(join(folder, "package.json")));
    parts.push(heading(`${name} ${version}`) + text(join(folder, "LICENSE")));
  }
  parts.push(heading("wasi-libc, in the WebAssembly module") + text("/usr/share/doc/wasi-libc/copyright"));
  return parts.join("\n\n\n") + "\n";
}
