// What is drawn and how; kept in the browser and in the address.
import { Signal } from "./signal";

export interface Settings {
  markers: boolean;
  labels: boolean;
  trails: boolean;
  bones: boolean;
  skin: boolean;
  mass: boolean;
  segments: boolean;
  uncertainty: boolean;
  cones: boolean;
  floor: boolean;
  forces: boolean;
  filled: boolean;
  follow: boolean;
  theme: "system" | "light" | "dark";
  /** Seconds of trail before and after the present. */
  trailPast: number;
  trailFuture: number;
}

export const layers: { key: keyof Settings; name: string; key_: string; text: string }[] = [
  { key: "markers", name: "Markers", key_: "m", text: "every marker of the capture" },
  { key: "bones", name: "Skeleton", key_: "b", text: "bones and joint centres" },
  { key: "skin", name: "Body", key_: "y", text: "the surface of a person of the tables, by the lengths that were found" },
  { key: "mass", name: "Centre of mass", key_: "w", text: "where the body's weight acts, its path and its place on the floor" },
  { key: "segments", name: "Segments", key_: "g", text: "lines between the markers of a segment" },
  { key: "filled", name: "Filled gaps", key_: "h", text: "samples that the body carries through gaps" },
  { key: "trails", name: "Trails", key_: "t", text: "where markers were and will be" },
  { key: "labels", name: "Labels", key_: "l", text: "names of markers" },
  { key: "uncertainty", name: "Uncertainty", key_: "u", text: "how well each joint centre is known: one standard deviation, three times enlarged" },
  { key: "cones", name: "Limits", key_: "c", text: "how far each joint was seen to turn" },
  { key: "forces", name: "Forces", key_: "p", text: "force plates and ground reaction" },
  { key: "floor", name: "Floor", key_: "o", text: "a grid of half metres" },
];

const defaults: Settings = {
  markers: true, labels: false, trails: false, bones: true, skin: true, mass: false, segments: false, uncertainty: false, cones: false, floor: true, forces: true,
  filled: true, follow: false, theme: "system", trailPast: 0.6, trailFuture: 0.2,
};
const place = "sinew-settings";

export class SettingsStore {
  readonly all = new Signal<Settings>({ ...defaults, ...stored() });
  get(): Settings {
    return this.all.get();
  }
  set(change: Partial<Settings>): void {
    this.all.set({ ...this.all.get(), ...change });
    try {
      localStorage.setItem(place, JSON.stringify(this.all.get()));
    } catch {
      // A page from a file, or a browser that keeps nothing: settings last as long as the page.
    }
  }
}

function stored(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(place) ?? "{}") as Partial<Settings>;
  } catch {
    return {};
  }
}
