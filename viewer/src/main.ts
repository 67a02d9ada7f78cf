// Puts the page together: one owner for each piece of state, panes that watch, one loop that draws.
import { Address } from "./address";
import { Clock } from "./clock";
import { Comparison } from "./compare";
import { Document } from "./document";
import { h, iconButton, replace } from "./dom";
import { Engine, type Progress } from "./engine";
import { Film } from "./film";
import { keyHelp, listenToKeys } from "./keys";
import { isLive, Live } from "./live";
import { openMenu } from "./menu";
import { Bar } from "./panes/bar";
import { Bench } from "./panes/bench";
import { addComparison } from "./panes/compare";
import { DataPane } from "./panes/data";
import { GraphsPane } from "./panes/graphs";
import { addStart } from "./panes/start";
import { Timeline } from "./panes/timeline";
import { addTools } from "./panes/tools";
import { filesBrought, Library } from "./parts";
import { Playground } from "./play/playground";
import { Viewport } from "./scene/viewport";
import { Selection } from "./selection";
import { SettingsStore } from "./settings";
import type { Signal } from "./signal";

const at = (id: string): HTMLElement => document.getElementById(id)!;
const library = new Library();

async function begin(): Promise<void> {
  const clock = new Clock();
  const selection = new Selection();
  const settings = new SettingsStore();
  const engine = new Engine(() => library.startWorker());
  const doc = new Document(engine);
  const comparison = new Comparison(doc);
  const viewport = new Viewport(at("picture") as HTMLCanvasElement, at("overlay") as HTMLCanvasElement, { document: doc, clock, selection, settings, comparison });
  const shared = { document: doc, clock, selection, settings, viewport, comparison };
  const bar = new Bar(at("bar"), shared);
  const bench = new Bench(at("motion"), shared);
  new DataPane(at("data"), { ...shared, bench });
  const timeline = new Timeline(at("timeline"), shared);
  const graphs = new GraphsPane(at("graphs"), shared);
  const film = new Film(viewport.stage, clock);
  addTools(at("motion"), { ...shared, film });
  addComparison(at("motion"), shared);
  const play = new Playground(at("play"), () => library.startWorker(), { document: doc, clock });
  addEventListener("sinew-robot", (event) => void play.choose((event as CustomEvent<string>).detail));
  const address = new Address({ ...shared, graphs, bar });

  // A new document starts the clock anew; a correction or another solve of the same one leaves it where it is.
  let name = "";
  const newDocument = (): void => {
    clock.reset(doc.frameCount, doc.rate, doc.name === name);
    if (doc.name !== name) selection.clear();
    if (doc.name !== name && doc.frameCount > 1) clock.isPlaying.set(true);
    name = doc.name;
  };
  doc.capture.watch(newDocument);
  doc.body.watch(newDocument);
  selection.chosen.watch(() => viewport.paint());

  settings.all.watch(() => restyle());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => restyle());
  function restyle(): void {
    const isDark = bar.isDark();
    if (document.documentElement.dataset.theme === (isDark ? "dark" : "light")) return;
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    viewport.stage.setTheme(isDark);
    viewport.paint();
    graphs.restyle(isDark);
    timeline.restyle();
    play.restyle(isDark);
  }

  bar.mode.watch((mode) => {
    at("desk").hidden = mode === "reach";
    at("play").hidden = mode !== "reach";
    document.body.classList.toggle("playing-ik", mode === "reach");
    if (mode === "reach") void play.show();
  });
  address.readMode();
  showMessages(doc, [engine, film]);
  acceptDrops(doc, bar);
  addTabs();
  const help = iconButton("more", "Keys (?)", () => showKeys(help), { class: "icon wide" });
  at("bar").append(help);
  at("picture").addEventListener("sinew-marker", (event) => bench.openAt(...(event as CustomEvent<[number, number]>).detail));
  listenToKeys({ ...shared, bench, open: () => bar.openPicker(), isActive: () => bar.mode.get() === "motion", help: () => showKeys(help) });

  const loop = (now: number): void => {
    requestAnimationFrame(loop);
    if (bar.mode.get() === "reach") return play.draw(now);
    clock.tick(now);
    viewport.stage.draw();
    timeline.draw(bar.isDark());
    setTimeout(() => graphs.draw()); // a task of its own
  };
  requestAnimationFrame(loop);

  try {
    const files = isLive() ? [] : await filesBrought();
    if (isLive()) new Live(at("motion"), { document: doc, viewport });
    else if (files.length) await doc.openFiles(files);
    else {
      await doc.openExample(address.example, address.seconds);
      if (!/#./.test(location.hash.replace(/#seconds=\d+$/, ""))) addStart(at("middle"), { document: doc, bar, comparison });
    }
  } catch (error) {
    doc.failure.set({ what: "the command", sentence: (error as Error).message });
  }
  address.read();
  // For the tests: the parts that a person sees through the panes.
  (globalThis as { sinewPage?: unknown }).sinewPage = { document: doc, clock, selection, settings, viewport, graphs, play, engine, bar, film, comparison };
}

function showKeys(button: HTMLElement): void {
  openMenu(button, h("div", {}, h("h3", {}, "Keys"), h("dl", { class: "facts", style: "padding:2px 10px 8px" }, ...keyHelp.flatMap(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)]))));
}

/** Progress with a way out, and sentences about what failed. */
function showMessages(doc: Document, workers: { progress: Signal<Progress | null>; cancel(): void }[]): void {
  for (const worker of workers) showProgress(worker.progress, () => worker.cancel());
  const status = at("status");
  let shown: HTMLElement | null = null;
  doc.failure.watch((failure) => {
    shown?.remove();
    if (!failure) return;
    shown = h("div", { class: "toast bad", role: "alert" }, h("span", {}, h("b", {}, failure.what), `: ${failure.sentence}`), iconButton("close", "Close", () => doc.failure.set(null)));
    status.append(shown);
  });
}

function showProgress(watched: Signal<Progress | null>, cancel: () => void): void {
  const status = at("status");
  const stage = h("span", { class: "stage" });
  const bar = h("progress", { max: 1, "aria-label": "Progress" });
  const work = h("div", { class: "toast" }, stage, bar, h("button", { type: "button", class: "word", onclick: cancel }, "Cancel"));
  let timer = 0;
  watched.watch((progress) => {
    if (!progress) {
      clearTimeout(timer);
      timer = 0;
      return work.remove();
    }
    stage.textContent = progress.stage;
    bar.value = progress.share;
    timer ||= window.setTimeout(() => status.append(work), 250); // short work needs no words
  });
}

function acceptDrops(doc: Document, bar: Bar): void {
  const sheet = h("div", { class: "drop" }, h("div", {}, "Drop to open", h("small", {}, "C3D, TRC, CSV, BVH, ASF + AMC, GLB, VRM, MOT, URDF, actor, cameras. Nothing leaves this computer.")));
  addEventListener("dragover", (event) => {
    event.preventDefault();
    if (!sheet.isConnected) document.body.append(sheet);
  });
  addEventListener("dragleave", (event) => !event.relatedTarget && sheet.remove());
  addEventListener("drop", (event) => {
    event.preventDefault();
    sheet.remove();
    const files = [...(event.dataTransfer?.files ?? [])].map((blob) => ({ name: blob.name, blob }));
    if (!files.length) return;
    bar.mode.set("motion");
    void doc.openFiles(files);
  });
}

/** On a phone one pane is seen at a time. */
function addTabs(): void {
  const desk = at("desk");
  const buttons = ["data", "motion", "graphs"].map((pane) => h("button", { type: "button", onclick: () => choose(pane) }, pane[0].toUpperCase() + pane.slice(1)));
  const choose = (pane: string): void => {
    desk.dataset.pane = pane;
    buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.textContent!.toLowerCase() === pane)));
  };
  replace(at("tabs"), ...buttons);
  choose("motion");
}

// What the document itself shows is painted first; making the scene takes longer than that.
requestAnimationFrame(() => setTimeout(() => void begin()));
