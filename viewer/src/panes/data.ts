// What the file holds and what to believe of it: facts, judgement, notes, bodies, joints with their verdicts, markers by segment.
import type { Clock } from "../clock";
import { isSolvedByItself, type Document } from "../document";
import { h, iconButton, replace } from "../dom";
import type { BodyData, CaptureData, JudgementData, MarkerInfo } from "../protocol";
import { sharedPrefix } from "../scene/labels";
import type { Viewport } from "../scene/viewport";
import type { Selection } from "../selection";
import { coalesced, Signal } from "../signal";
import type { Bench } from "./bench";
import { cameras } from "./cameras";
import { alike, judgement } from "./judgement";

const upNames = ["not known", "+X", "+Y", "+Z", "−X", "−Y", "−Z"];

export class DataPane {
  /** Markers that are switched off, by number. */
  readonly hidden = new Signal<Set<number>>(new Set());
  private markerRows = new Map<number, HTMLElement>();
  private jointRows = new Map<number, HTMLElement>();
  /** That all names share: said once. */
  private prefix = "";

  constructor(private readonly root: HTMLElement, private readonly parts: { document: Document; selection: Selection; viewport: Viewport; clock: Clock; bench: Bench }) {
    const { document, selection, viewport } = parts;
    let name = "";
    const build = coalesced(() => this.build());
    document.capture.watch((capture) => {
      if (capture?.name !== name) this.hidden.set(this.computed(capture));
      name = capture?.name ?? "";
      build();
    });
    // What lies on no segment of a body that was just found (another program's points, things in the room) is put away too.
    let shown = "";
    document.body.watch((body) => {
      const segmentOf = body?.segmentOf;
      if (segmentOf && body.name !== shown) this.hidden.set(new Set([...this.hidden.get(), ...segmentOf.keys()].filter((m) => this.hidden.get().has(m) || segmentOf[m] < 0)));
      shown = body?.name ?? "";
      build();
    });
    document.shelf.watch(build);
    document.skins.watch(build);
    document.cameras.watch(build);
    selection.chosen.watch(() => this.mark());
    root.addEventListener("keydown", (event) => this.walk(event));
    this.hidden.watch((hidden) => {
      viewport.setHidden(hidden);
      this.mark();
    });
  }

  /** Points that another program computed are no markers: they start hidden. */
  private computed(capture: CaptureData | null): Set<number> {
    return new Set(capture?.markers.map((_, m) => m).filter((m) => capture.markers[m].kind !== "marker"));
  }

  private build(): void {
    const { document } = this.parts;
    const capture = document.capture.get();
    const body = document.body.get();
    this.markerRows.clear();
    this.jointRows.clear();
    if (!capture && !body) {
      replace(this.root, this.shelf(), h("p", { class: "empty" }, "Drop a capture or a motion here: C3D, TRC, CSV, BVH, or ASF with AMC; markers of bodies and hands, or trackers. Everything is computed in this page; nothing leaves the computer."));
      return;
    }
    replace(this.root,
      this.shelf(),
      this.facts(capture, body),
      body && body.joints.length ? this.joints(body) : null,
      body ? this.masses(body) : null,
      capture?.markers.length ? this.markers(capture, body) : null,
      capture?.analog ? this.analog(capture) : null,
      cameras(this.parts),
      capture?.parameters.length ? this.parameters(capture) : null);
    this.mark();
  }

  // ---- the file ----

  private shelf(): HTMLElement | null {
    const { files, current } = this.parts.document.shelf.get();
    if (files.length < 2) return null;
    return h("div", { class: "block shelf" }, h("h2", {}, `${files.length} files`), h("ul", { class: "rows" },
      ...files.map((group, n) => h("li", { class: n === current ? "row chosen" : "row" },
        h("button", { type: "button", class: "name", "aria-current": n === current ? "true" : null, onclick: () => void this.parts.document.openGroup(n) }, group.map((f) => f.name).join(" + "))))));
  }

  private facts(capture: CaptureData | null, body: BodyData | null): HTMLElement {
    const rows: [string, string][] = [];
    if (capture) {
      const markers = capture.markers.filter((m) => m.kind === "marker");
      const gaps = markers.reduce((sum, m) => sum + m.gaps, 0);
      const seen = markers.reduce((sum, m) => sum + m.seen, 0) / Math.max(1, capture.frameCount * markers.length);
      rows.push(["Format", capture.format]);
      if (capture.frameCount > 1) rows.push(["Length", `${(capture.frameCount / (capture.rate || 1)).toFixed(2)} s, ${capture.frameCount} frames at ${+capture.rate.toFixed(2)} Hz`]);
      if (markers.length) rows.push(["Markers", `${markers.length}${capture.joinedFrom ? ` (from ${capture.joinedFrom} trajectories)` : ""}${capture.isRecognised ? ", names recognised" : ""}, ${(100 * seen).toFixed(1)} % seen, ${gaps} gap${gaps === 1 ? "" : "s"}`]);
      if (markers.length < capture.markers.length) rows.push(["Computed", kindCounts(capture.markers)]);
      rows.push(["Unit, up", `${capture.unit || "?"}, ${upNames[capture.up] ?? "?"}`]);
      if (capture.rotationCount) rows.push(["Rotations", String(capture.rotationCount)]);
      if (capture.analog) rows.push(["Analog", `${capture.analog.name.length} channels at ${+(capture.rate * capture.analog.perFrame).toFixed(0)} Hz`]);
      if (capture.plates.length) rows.push(["Force plates", String(capture.plates.length)]);
      if (capture.events.length) rows.push(["Events", String(capture.events.length)]);
    } else if (body) {
      rows.push(["Length", body.frameCount > 1 ? `${(body.frameCount / (body.rate || 1)).toFixed(2)} s, ${body.frameCount} frames at ${+body.rate.toFixed(2)} Hz` : "a body at rest"]);
      rows.push(body.joints.length ? ["Joints", String(body.joints.length)] : ["Columns", String(body.angles[0]?.name.length ?? 0)]);
    }
    const names = new Set(capture?.markers.map((marker) => marker.name));
    const notes = grouped([...(capture?.notes ?? []), ...(body?.notes ?? [])], names);
    return h("div", { class: "block" },
      h("h2", {}, this.parts.document.name),
      this.bodies(),
      capture && !body ? this.unsolved(capture) : null,
      body?.residual || body?.summary ? judgement(body, (item) => this.goTo(item)) : null,
      h("dl", { class: "facts" }, ...rows.flatMap(([term, text]) => [h("dt", {}, term), h("dd", {}, text)])),
      notes.length ? h("details", { open: notes.length < 4 }, h("summary", {}, `${notes.length} note${notes.length === 1 ? "" : "s"}: repaired, guessed, left out`), h("ul", { class: "notes" }, ...notes.map((text) => h("li", {}, text)))) : null);
  }

  /** Why there is no body, where that is not because it is being found. */
  private unsolved(capture: CaptureData): HTMLElement | null {
    if (isSolvedByItself(capture)) return null;
    if (capture.markers.length > 2) return h("p", { class: "hint" }, "A large capture: its body is found when you ask for it. ", h("button", { type: "button", class: "link", onclick: () => void this.parts.document.solve() }, "Solve"));
    return h("p", { class: "hint" }, capture.markers.length ? "Fewer than three markers make no body." : "There are no markers in this file, and no trackers of a head, a chest or hands.");
  }

  /** Which body the lists and graphs are about, where there are several. */
  private bodies(): HTMLElement | null {
    const { document, selection } = this.parts;
    const bodies = document.bodies.get();
    if (bodies.length < 2) return null;
    const choose = (n: number): void => {
      selection.clear();
      document.chooseBody(n);
    };
    return h("div", { class: "modes bodies", role: "group", "aria-label": "Body" },
      ...bodies.map(({ title }, n) => h("button", { type: "button", "aria-pressed": String(n === document.bodyIndex), onclick: () => choose(n) }, title)));
  }

  /** Shows what a finding is about: its joint or marker, its frame. */
  private goTo({ joint, marker, frame }: JudgementData["items"][number]): void {
    if (joint >= 0) this.parts.selection.joint(joint);
    else if (marker >= 0) this.parts.selection.marker(marker);
    if (frame < 0) return;
    this.parts.clock.isPlaying.set(false);
    this.parts.clock.seek(frame);
  }

  // ---- joints ----

  private joints(body: BodyData): HTMLElement {
    // What is merely known less well is told once, by the judgement; orange is what speaks against the motion.
    const isBad = (j: number): boolean => (body.judgement ? body.judgement.items.some((item) => item.joint === j && item.marker < 0 && item.verdict !== "green") : body.joints[j].isUncertain);
    const rows = body.joints.map((joint, j) => {
      const dot = h("span", { class: "dot", style: `background:#${this.parts.viewport.colorOfJoint(j).getHexString()}` });
      const value = joint.verdict !== null && joint.uncertainty > 0 ? `± ${(1000 * joint.uncertainty).toFixed(1)} mm` : j ? joint.type : "root";
      const row = h("li", {},
        h("div", { class: "row" }, dot, h("button", { type: "button", class: "name", onclick: () => this.parts.selection.joint(j) }, joint.name), h("span", { class: "value" }, value)),
        joint.verdict ? h("p", { class: isBad(j) ? "verdict bad" : "verdict", hidden: !isBad(j) }, joint.verdict) : null);
      this.jointRows.set(j, row);
      return row;
    });
    const doubtful = body.joints.filter((_, j) => isBad(j)).length;
    return h("div", { class: "block" }, h("h2", {}, "Joints", h("small", {}, `${body.joints.length}${doubtful ? `, ${doubtful} doubtful` : ""}`)), h("ul", { class: "rows" }, ...rows));
  }

  /** What the surface weighs, by the tables' densities, and what of it moves with each joint. */
  private masses(body: BodyData): HTMLElement | null {
    const kilograms = this.parts.document.skins.get().get(body)?.mass.joint;
    if (!kilograms) return null;
    const total = kilograms.reduce((sum, own) => sum + own, 0);
    const rows = body.joints.map(({ name }, j) => [name, kilograms[j]] as const).filter(([, own]) => own > 0);
    return h("div", { class: "block" }, h("details", {}, h("summary", {}, `Mass: ${total.toFixed(1)} kg, by the surface`),
      h("ul", { class: "rows" }, ...rows.map(([name, own]) => h("li", {}, h("div", { class: "row" }, h("span", { class: "name" }, name), h("span", { class: "value" }, `${own.toFixed(2)} kg`)))))));
  }

  // ---- markers ----

  private markers(capture: CaptureData, body: BodyData | null): HTMLElement {
    const segmentOf = body?.segmentOf ?? body?.jointOf ?? null;
    const names = body?.segmentNames.length ? body.segmentNames : (body?.joints.map((j) => j.name) ?? []);
    const groups = new Map<number, number[]>();
    capture.markers.forEach((_, m) => {
      const segment = segmentOf?.[m] ?? -1;
      groups.set(segment, [...(groups.get(segment) ?? []), m]);
    });
    this.prefix = sharedPrefix(capture.markers.map((marker) => marker.name));
    const ordered = [...groups.entries()].sort(([a], [b]) => (a < 0 ? 1 : b < 0 ? -1 : a - b));
    return h("div", { class: "block" },
      h("h2", {}, "Markers", h("small", {}, `${capture.markers.length}${this.prefix ? ` of ${this.prefix.slice(0, -1)}` : ""}`), h("span", { style: "flex:1" }),
        h("button", { type: "button", class: "link", onclick: () => this.hidden.set(new Set()) }, "show all")),
      ...ordered.map(([segment, markers]) => h("div", { class: "segment" },
        segmentOf ? this.segmentRow(segment >= 0 ? names[segment] : "on no segment", markers) : null,
        h("ul", { class: "rows" }, ...markers.map((m) => this.markerRow(capture, body, m))))));
  }

  private segmentRow(name: string, markers: number[]): HTMLElement {
    return h("div", { class: "row", style: "margin:0 -8px" },
      h("button", { type: "button", class: "name", onclick: () => this.parts.selection.markers(markers) }, name),
      iconButton("eye", `Show or hide ${name}`, () => {
        const isHiding = markers.some((m) => !this.hidden.get().has(m));
        const next = new Set(this.hidden.get());
        for (const m of markers) if (isHiding) next.add(m); else next.delete(m);
        this.hidden.set(next);
      }, { tabindex: "-1" }));
  }

  private markerRow(capture: CaptureData, body: BodyData | null, m: number): HTMLElement {
    const marker = capture.markers[m];
    const onMenu = (event: MouseEvent): void => {
      event.preventDefault();
      if (!this.parts.selection.chosen.get().markers.includes(m)) this.parts.selection.marker(m);
      this.parts.bench.openAt(event.clientX, event.clientY);
    };
    const row = h("li", { class: "row", oncontextmenu: onMenu },
      h("span", { class: "dot", style: `background:#${this.parts.viewport.colorOf(m).getHexString()}` }),
      h("button", { type: "button", class: "name", title: marker.description || marker.name, onclick: (event: MouseEvent) => this.parts.selection.marker(m, event.shiftKey || event.ctrlKey || event.metaKey) }, marker.name.slice(this.prefix.length) || "(no name)"),
      h("span", { class: "value" }, markerValue(capture, body, marker, m)),
      iconButton("eye", `Show or hide ${marker.name}`, () => {
        const next = new Set(this.hidden.get());
        if (!next.delete(m)) next.add(m);
        this.hidden.set(next);
      }, { "aria-pressed": "true", tabindex: "-1" }));
    this.markerRows.set(m, row);
    return row;
  }

  private mark(): void {
    const { markers, joint } = this.parts.selection.chosen.get();
    const hidden = this.hidden.get();
    let first: HTMLElement | null = null;
    for (const [m, row] of this.markerRows) {
      const isChosen = markers.includes(m);
      row.classList.toggle("chosen", isChosen);
      row.classList.toggle("off", hidden.has(m));
      row.querySelector("button.icon")?.setAttribute("aria-pressed", String(!hidden.has(m)));
      if (isChosen && !first) first = row;
    }
    for (const [j, row] of this.jointRows) {
      row.firstElementChild!.classList.toggle("chosen", j === joint);
      const verdict = row.querySelector<HTMLElement>(".verdict");
      if (verdict) verdict.hidden = j !== joint && !verdict.classList.contains("bad");
      if (j === joint) first = row;
    }
    first?.scrollIntoView({ block: "nearest" });
    this.rove(first?.querySelector<HTMLElement>(".name") ?? this.names()[0]);
  }

  /** One tab stop for all rows; arrows walk through them, v shows or hides. */
  private walk(event: KeyboardEvent): void {
    const here = (event.target as HTMLElement).closest<HTMLElement>(".row .name");
    if (!here) return;
    const names = this.names();
    const at = names.indexOf(here);
    const next = event.key === "ArrowDown" ? names[at + 1] : event.key === "ArrowUp" ? names[at - 1] : null;
    if (next) {
      next.focus();
      this.rove(next);
    } else if (event.key === "v") here.parentElement!.querySelector<HTMLElement>("button.icon")?.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  private names(): HTMLElement[] {
    return [...this.root.querySelectorAll<HTMLElement>(".row .name")];
  }
  private rove(to: HTMLElement | undefined): void {
    for (const name of this.names()) name.tabIndex = name === to ? 0 : -1;
  }

  // ---- the rest ----

  private analog(capture: CaptureData): HTMLElement {
    const { name, unit } = capture.analog!;
    return h("div", { class: "block" }, h("details", {}, h("summary", {}, `${name.length} analog channels`),
      h("dl", { class: "facts" }, ...name.flatMap((text, n) => [h("dt", {}, text), h("dd", {}, unit[n] || "–")]))));
  }

  private parameters(capture: CaptureData): HTMLElement {
    return h("div", { class: "block" }, h("details", {}, h("summary", {}, `${capture.parameters.length} parameters of the file`),
      h("dl", { class: "facts" }, ...capture.parameters.flatMap((p) => [h("dt", {}, `${p.group}:${p.name}`), h("dd", {}, p.text || "–")]))));
  }
}

/** Notes that say the same of other markers are one note with a list. */
function grouped(notes: string[], names: Set<string>): string[] {
  const without = (text: string): string => text.replace(/[^\s,;()]+/g, (word) => (names.has(word.replace(/:$/, "")) ? "@" : word));
  return alike(notes, without, () => "").map(([first, ...others]) => {
    if (!others.length) return first;
    const list = others.map((text) => (text.match(/[^\s,;()]+/g) ?? []).filter((word) => names.has(word)).join(" and ")).filter(Boolean);
    return `${first}; ${others.length} more like it${list.length ? `: ${[...new Set(list)].join(", ")}` : ""}`;
  });
}

/** "12 × angle, 3 × force" */
function kindCounts(points: MarkerInfo[]): string {
  const count = new Map<string, number>();
  for (const { kind } of points) if (kind !== "marker") count.set(kind, (count.get(kind) ?? 0) + 1);
  return [...count].map(([kind, n]) => `${n} × ${kind}`).join(", ");
}

function markerValue(capture: CaptureData, body: BodyData | null, marker: MarkerInfo, m: number): string {
  if (marker.kind !== "marker") return marker.kind;
  if (!marker.seen) return "never seen";
  const rms = body?.residual?.marker[m] ?? 0;
  const gap = marker.gaps ? `${marker.gaps} gap${marker.gaps === 1 ? "" : "s"}` : "";
  const left = rms > 0 ? `${(1000 * rms).toFixed(1)} mm` : "";
  const share = marker.seen < capture.frameCount && !marker.gaps ? `${((100 * marker.seen) / capture.frameCount).toFixed(0)} %` : "";
  return [gap || share, left].filter(Boolean).join(" · ");
}
