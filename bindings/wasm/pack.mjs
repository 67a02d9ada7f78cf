// Puts the npm package together from the linked modules: build/npm, ready for `npm pack`.
// usage: node pack.mjs WASM_BUILD_DIR OUTPUT_DIR
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { notices } from "./notices.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../..");
const [build, output] = process.argv.slice(2).map((path) => resolve(path));

rmSync(output, { recursive: true, force: true });
for (const [folder, module] of [["full", "sinew"], ["ik", "sinew-ik"], ["", "sinew-page"]]) {
  const stage = join(build, `${module}-source`);
  rmSync(stage, { recursive: true, force: true });
  cpSync(join(here, "src"), join(stage, "src"), { recursive: true });
  copyFileSync(join(build, module, "generated.ts"), join(stage, "src/generated.ts"));
  copyFileSync(join(here, "tsconfig.json"), join(stage, "tsconfig.json"));
  if (!folder) continue; // the page is bundled from its source
  mkdirSync(join(output, folder), { recursive: true });
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", stage, "--outDir", join(output, folder)], { stdio: "inherit" });
  copyFileSync(join(build, `${module}.wasm`), join(output, folder, "sinew.wasm"));
}
for (const file of ["package.json", "README.md"]) copyFileSync(join(here, file), join(output, file));
copyFileSync(join(root, "LICENSE"), join(output, "LICENSE"));
writeFileSync(join(output, "NOTICES.txt"), notices([]));
