// The tools over the motion: what is drawn, from which side, pictures and film.
import type { Clock } from "../clock";
import type { Document } from "../document";
import { h, iconButton, save } from "../dom";
import type { Film } from "../film";
import { check, item, openMenu } from "../menu";
import type { Viewport } from "../scene/viewport";
import { layers, type SettingsStore } from "../settings";

export function addTools(root: HTMLElement, parts: { document: Document; clock: Clock; settings: SettingsStore; viewport: Viewport; film: Film }): void {
  const { document, clock, settings, viewport, film } = parts;
  const eye = iconButton("eye", "What is drawn", () => openMenu(eye, showMenu(settings)));
  const side = iconButton("fit", "From which side", () => openMenu(side, sideMenu(viewport, document)));
  const follow = iconButton("follow", "Follow the body (f)", () => settings.set({ follow: !settings.get().follow }));
  settings.all.watch(({ follow: isOn }) => follow.setAttribute("aria-pressed", String(isOn)));
  const start = (): string => document.name.replace(/\.[^.]*$/, "") || "sinew";
  const picture = (isTransparent: boolean) => async (): Promise<void> => {
    const blob = await viewport.stage.picture(isTransparent);
    if (blob) save(blob, `${start()}-${clock.frame.get() + 1}.png`, "image/png");
  };
  /** The film that a line of the menu makes, saved when it is whole. */
  const shoot = (make: () => Promise<BlobPart | null>, ending: string, type: string) => async (): Promise<void> => {
    try {
      const film = await make();
      if (film) save(film, start() + ending, type);
    } catch (error) {
      document.failure.set({ what: "the film", sentence: (error as Error).message });
    }
  };
  const camera = iconButton("camera", "Picture or film", () => openMenu(camera, h("div", {},
    item("Picture", "PNG", () => void picture(false)()), item("Transparent picture", "PNG", () => void picture(true)()),
    item("Film", film.canEncode ? "WebM, every picture of what is played" : "not in this browser", () => void shoot(async () => (await film.webm()) as BlobPart | null, ".webm", "video/webm")(), !film.canEncode || !!film.progress.get()),
    item("Pictures", "PNG for each moment, in a ZIP", () => void shoot(() => film.pictures(start()), ".zip", "application/zip")(), !!film.progress.get()))));
  root.append(h("div", { class: "tools", role: "toolbar", "aria-label": "Picture" }, eye, side, follow, h("span", { class: "gap" }), camera));
}

function showMenu(settings: SettingsStore): HTMLElement {
  const range = (id: string, text: string, key: "trailPast" | "trailFuture", most: number): HTMLElement[] => {
    const input = h("input", { id, type: "range", min: "0", max: String(most), step: "0.1", value: String(settings.get()[key]), oninput: () => settings.set({ [key]: Number(input.value) }) });
    return [h("label", { for: id }, text), input];
  };
  return h("div", {},
    ...layers.map((layer) => {
      const line = check(layer.name, layer.key_.toUpperCase(), settings.get()[layer.key] as boolean, (isOn) => settings.set({ [layer.key]: isOn }));
      line.title = layer.text;
      return line;
    }),
    h("hr"), h("div", { class: "form" }, ...range("past", "Trail before", "trailPast", 5), ...range("future", "Trail after", "trailFuture", 5)));
}

/** SNW_UP_* in its order. */
const upNames = ["as the data says", "+X", "+Y", "+Z", "−X", "−Y", "−Z"];

function sideMenu(viewport: Viewport, { upChosen }: Document): HTMLElement {
  const up = h("select", { id: "up", onchange: () => upChosen.set(up.selectedIndex) }, ...upNames.map((text, n) => h("option", { selected: n === upChosen.get() }, text)));
  const names: [string, string, string][] = [["Front", "1", "front"], ["Right", "2", "right"], ["Back", "3", "back"], ["Left", "4", "left"], ["Top", "5", "top"], ["Corner", "6", "corner"]];
  return h("div", {}, ...names.map(([text, key, side]) => item(text, key, () => viewport.stage.look(side))), h("hr"), item("Fit the body", "0", () => viewport.fit()),
    h("div", { class: "form" }, h("label", { for: "up" }, "Up is"), up));
}
