// The bar at the top: open, examples, solve, export, link, theme, and the way to the playground.
import type { Clock } from "../clock";
import type { Comparison } from "../compare";
import type { Document } from "../document";
import { h, icon, iconButton, replace, save, svg } from "../dom";
import { closeMenu, item, openMenu } from "../menu";
import type { NamedFile, RigChoice, SolveOptions, Written } from "../protocol";
import type { SettingsStore } from "../settings";
import { Signal } from "../signal";

/** What the page can make by itself: the first six say what Sinew is for. */
export const examples: [name: string, title: string, text: string][] = [
  ["walk", "Walk", "round a circle, heel to toe"], ["dance", "Dance", "with gaps, which the body fills"], ["pair", "Two people", "each is solved"],
  ["hand", "Hand", "all joints from eight markers"], ["avatar", "Avatar", "an upper body from four trackers"], ["robot", "Robot", "an arm that reaches where you drag it"],
  ["run", "Run", "with flight"], ["boxing", "Boxing", "jabs and hooks"], ["reach", "Reach", "hands to random targets"], ["range", "Range", "every joint through its range"],
];

const schemes: [string, string][] = [["keep", "as here"], ["humanik", "HumanIK, MotionBuilder"], ["mixamo", "Mixamo"], ["unreal", "Unreal"], ["blender", "Blender, Rigify"], ["vrm", "VRM"]];

export type Mode = "motion" | "reach";

export class Bar {
  readonly mode = new Signal<Mode>("motion");
  private readonly picker = h("input", { type: "file", multiple: true, hidden: true, "aria-label": "Choose files", onchange: () => this.picked() });

  constructor(root: HTMLElement, private readonly parts: { document: Document; settings: SettingsStore; clock: Clock; comparison: Comparison }) {
    const { document, settings } = parts;
    const file = h("div", { class: "file" });
    const motion = h("button", { type: "button", onclick: () => this.mode.set("motion") }, "Motion");
    const reach = h("button", { type: "button", onclick: () => this.mode.set("reach") }, "Reach");
    const example = h("button", { type: "button", class: "word wide", onclick: () => openMenu(example, this.exampleMenu()) }, "Examples");
    const solve = h("button", { type: "button", class: "word", "aria-label": "Solve", title: "How the skeleton is found", onclick: () => openMenu(solve, this.solveMenu()) }, icon("body"), h("span", { class: "wide" }, "Solve"));
    const write = h("button", { type: "button", class: "word main", "aria-label": "Export", onclick: () => openMenu(write, this.exportMenu()) }, icon("save"), h("span", { class: "wide" }, "Export"));
    const link = iconButton("link", "Copy a link to this view", () => void this.copyLink(link), { class: "icon wide" });
    const theme = iconButton("theme", "Light or dark", () => settings.set({ theme: this.isDark() ? "light" : "dark" }));
    replace(root,
      h("h1", { class: "brand" }, mark(), h("span", {}, "Sinew")),
      h("div", { class: "modes", role: "group", "aria-label": "What to do" }, motion, reach),
      file, h("div", { class: "space" }),
      h("button", { type: "button", class: "word", "aria-label": "Open", onclick: () => this.picker.click() }, icon("open"), h("span", { class: "wide" }, "Open")),
      example, solve, write, link, theme, this.picker);
    this.mode.watch((mode) => {
      motion.setAttribute("aria-pressed", String(mode === "motion"));
      reach.setAttribute("aria-pressed", String(mode === "reach"));
      for (const element of [solve, write]) element.hidden = mode === "reach";
    });
    const name = (): void => replace(file, document.name ? h("b", {}, document.name) : "nothing is open", document.frameCount > 1 ? `  ${(document.frameCount / (document.rate || 1)).toFixed(1)} s` : "");
    document.capture.watch(name);
    document.body.watch(name);
  }

  isDark(): boolean {
    const { theme } = this.parts.settings.get();
    return theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  }

  openPicker(): void {
    this.picker.click();
  }

  private picked(): void {
    const files: NamedFile[] = [...(this.picker.files ?? [])].map((blob) => ({ name: blob.name, blob }));
    this.picker.value = "";
    void this.parts.document.openFiles(files);
  }

  private exampleMenu(): HTMLElement {
    return h("div", {}, h("h3", {}, "Made on the spot, solved in the page"),
      ...examples.map(([name, title, text]) => item(title, text, () => this.openExample(name))));
  }

  /** A capture in the motion pane, or the robot in Reach. */
  openExample(name: string): void {
    this.mode.set(name === "robot" ? "reach" : "motion");
    if (name === "robot") dispatchEvent(new CustomEvent("sinew-robot", { detail: "panda" }));
    else void this.parts.document.openExample(name);
  }

  // ---- solving ----

  private solveMenu(): HTMLElement {
    const { document } = this.parts;
    const options = document.solveOptions.get();
    const body = document.body.get();
    const choose = (id: string, value: string, words: (string | [string, string])[], set: (value: string) => void): HTMLElement => {
      const options = words.map((word) => (Array.isArray(word) ? word : [word, word]));
      const select = h("select", { id, onchange: () => set(select.value) }, ...options.map(([word, text]) => h("option", { value: word, selected: word === value }, text)));
      return select;
    };
    const set = (change: Partial<typeof options>): void => document.solveOptions.set({ ...document.solveOptions.get(), ...change });
    const parts = Array.from({ length: document.bodyCount }, (_, n): [string, string] => [String(n + 1), `number ${n + 1} alone`]);
    return h("div", {}, h("div", { class: "form" },
      h("label", { for: "kind" }, "What"), choose("kind", options.kind, [["auto", "as the labels say"], ["body", "bodies"], ["hand", "hands"], ["trackers", "upper body, from trackers"]], (kind) => set({ kind: kind as SolveOptions["kind"] })),
      ...(document.bodyCount > 1 ? [h("label", { for: "part" }, "Which"), choose("part", String(options.part), [["0", "every actor"], ...parts], (part) => set({ part: Number(part) }))] : []),
      h("label", { for: "segments" }, "Segments"), choose("segments", options.segments, ["auto", "names", "rigidity", "spectral"], (segments) => set({ segments })),
      h("label", { for: "method" }, "Joints"), choose("method", options.method, ["auto", "two-sided", "mvm", "gamage-lasenby", "halvorsen", "geometric", "kalman"], (method) => set({ method })),
      h("label", { for: "root" }, "Root"), choose("root", options.root, [["", "chosen by itself"], ...(body?.segmentNames ?? [])], (root) => set({ root })),
      options.actor ? h("label", {}, "Actor") : null, options.actor ? h("span", {}, "from the file ", h("button", { type: "button", class: "link", onclick: () => { set({ actor: null }); closeMenu(); } }, "forget")) : null,
      options.markerSet ? h("label", {}, "Set") : null, options.markerSet ? h("span", {}, "from the file ", h("button", { type: "button", class: "link", onclick: () => { set({ markerSet: null }); closeMenu(); } }, "forget")) : null),
    h("div", { style: "padding:4px 10px 8px;display:flex;gap:8px" },
      h("button", { type: "button", class: "word main", disabled: !document.capture.get(), onclick: () => { closeMenu(); void document.solve(); } }, "Solve again")),
    h("hr"), this.fillForm(),
    h("hr"), item("Keep to compare", "with the next solve or file", () => this.parts.comparison.keep(), !body));
  }

  private fillForm(): HTMLElement {
    const { document } = this.parts;
    const filled = document.filled.get();
    const method = h("select", { id: "fill" }, ...["auto", "linear", "spline", "frame", "rigid", "local"].map((name) => h("option", { value: name, selected: name === filled?.method }, name)));
    return h("div", {}, h("div", { class: "form" }, h("label", { for: "fill" }, "Gaps"), method),
      h("div", { style: "padding:0 10px 8px;display:flex;gap:8px;align-items:center" },
        h("button", { type: "button", class: "word", disabled: !document.capture.get(), onclick: () => { closeMenu(); void document.fill(method.value); } }, "Fill without a body"),
        filled ? h("small", {}, filled.gapCount ? `now ${filled.method}: ${filled.filledCount} of ${filled.gapCount}` : "there are none") : null));
  }

  // ---- writing ----

  private exportMenu(): HTMLElement {
    const { document } = this.parts;
    const hasMotion = !!document.body.get()?.joints.length;
    const hasCapture = !!document.capture.get();
    const isSolved = !!document.body.get()?.residual;
    const isAct = hasMotion && hasCapture && !isSolved;
    const command = !hasCapture ? "convert" : !isAct ? "solve" : document.body.get()!.title.endsWith("hand") ? "hand" : "avatar";
    const isFilled = !!document.filled.get() && document.filled.get()!.method !== "by the body";
    const write = (what: Written, ending: string) => async (): Promise<void> => {
      const bytes = await document.write(what, ending);
      if (bytes) save(bytes as BlobPart, fileName(document, what, ending));
    };
    const line = (text: string, hint: string, what: Written, ending: string, isThere: boolean): HTMLElement => {
      const button = item(text, hint, () => void write(what, ending)(), !isThere);
      button.dataset.writes = what + ending;
      return button;
    };
    return h("div", {},
      h("h3", {}, document.bodies.get().length > 1 ? `Skeleton and motion of ${document.body.get()!.title.toLowerCase()}` : "Skeleton and motion"),
      hasMotion ? this.rigForm(isSolved || command === "avatar") : null,
      line("BVH", `sinew ${command}`, "motion", ".bvh", hasMotion), line("glTF", ".glb for Blender, engines", "motion", ".glb", hasMotion), line("OpenSim", ".mot", "motion", ".mot", hasMotion),
      ...(isAct
        ? [h("h3", {}, "Every joint as a point"), line("C3D", `sinew ${command}`, "points", ".c3d", true), line("TRC", "", "points", ".trc", true), line("CSV", "", "points", ".csv", true)]
        : [h("h3", {}, "Capture with gaps filled and joint centres"), line("C3D", "sinew solve", "solved", ".c3d", isSolved), line("TRC", "", "solved", ".trc", isSolved), line("CSV", "", "solved", ".csv", isSolved)]),
      ...(isFilled ? [h("h3", {}, "Capture with gaps filled"), line("C3D", "sinew fill", "filled", ".c3d", true), line("TRC", "", "filled", ".trc", true), line("CSV", "", "filled", ".csv", true)] : []),
      h("h3", {}, "Capture as it is, with your corrections"),
      line("C3D", "sinew convert", "capture", ".c3d", hasCapture), line("TRC", "", "capture", ".trc", hasCapture), line("CSV", "", "capture", ".csv", hasCapture),
      h("h3", {}, "For the next trial of this person"),
      line("Actor", isAct ? `sinew ${command} --profile` : "sinew solve --actor", "actor", ".actor", isSolved || isAct));
  }

  /** As the program that is to read it expects it. */
  private rigForm(isPerson: boolean): HTMLElement {
    const { document } = this.parts;
    const set = (change: Partial<RigChoice>): void => void (document.rig = { ...document.rig, ...change });
    const select = (id: string, value: string, words: [string, string][], run: (value: string) => void): HTMLElement => {
      const field = h("select", { id, onchange: () => run(field.value) }, ...words.map(([word, text]) => h("option", { value: word, selected: word === value }, text)));
      return field;
    };
    const box = (id: string, isOn: boolean, run: (isOn: boolean) => void): HTMLElement => {
      const field = h("input", { id, type: "checkbox", checked: isOn, style: "justify-self:start", onchange: () => run(field.checked) });
      return field;
    };
    const { names, isOnFloor, hasFootLock, isSymmetric, rate } = document.rig;
    return h("div", { class: "form" },
      ...(isPerson ? [
        h("label", { for: "rig-names" }, "Names"), select("rig-names", names, schemes, (value) => set({ names: value })),
        h("label", { for: "rig-floor" }, "Feet on the floor"), box("rig-floor", isOnFloor, (isOn) => set({ isOnFloor: isOn })),
        h("label", { for: "rig-lock" }, "Feet that stand, held"), box("rig-lock", hasFootLock, (isOn) => set({ hasFootLock: isOn })),
        h("label", { for: "rig-equal" }, "Both sides equal"), box("rig-equal", isSymmetric, (isOn) => set({ isSymmetric: isOn })),
      ] : []),
      h("label", { for: "rig-rate" }, "Frames a second"), select("rig-rate", String(rate), [["0", `${+document.rate.toFixed(2)}, as captured`], ["24", "24"], ["25", "25"], ["30", "30"], ["60", "60"]], (value) => set({ rate: Number(value) })));
  }

  private async copyLink(button: HTMLElement): Promise<void> {
    dispatchEvent(new Event("sinew-address"));
    try {
      await navigator.clipboard.writeText(location.href);
    } catch {
      prompt("The link to this view:", location.href);
    }
    button.setAttribute("aria-pressed", "true");
    setTimeout(() => button.removeAttribute("aria-pressed"), 900);
  }
}

/** As the command calls its files: "walk-2.bvh" is of the second body. */
function fileName(document: Document, what: Written, ending: string): string {
  const isOfOne = what === "motion" || what === "actor";
  const suffix = isOfOne ? (document.bodyIndex > 0 ? `-${document.bodyIndex + 1}` : "") : what === "capture" ? "" : `-${what}`;
  return document.name.replace(/\.[^.]*$/, "") + suffix + ending;
}

function mark(): SVGElement {
  return svg("svg", { viewBox: "0 0 16 16", width: 20, height: 20, "aria-hidden": "true" },
    svg("path", { d: "M3.5 13 8 8 4.5 3M8 8l5-3", stroke: "currentColor", "stroke-width": 1.7, fill: "none", "stroke-linecap": "round" }),
    svg("circle", { cx: 8, cy: 8, r: 2, fill: "currentColor" }), svg("circle", { cx: 3.5, cy: 13, r: 1.4, fill: "currentColor" }),
    svg("circle", { cx: 4.5, cy: 3, r: 1.4, fill: "currentColor" }), svg("circle", { cx: 13, cy: 5, r: 1.4, fill: "currentColor" }));
}
