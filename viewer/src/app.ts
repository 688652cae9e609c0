// Puts runs, pictures and controls together.

import { Vector3 } from "three";
import type { Frame, Moment } from "./run/frame";
import type { LiveRun } from "./live/live_run";
import type { Playable } from "./run/playable";
import { Run } from "./run/run";
import type { RunSource } from "./source/source";
import { runs_of_drop } from "./source/folder";
import { FieldScale, RunView } from "./view/run_view";
import { Stage, VIEW_DIRECTIONS, drawn_by_software, type CameraPose } from "./view/stage";
import type { ThemeName } from "./view/theme";
import { button, h, icon, recall, remember } from "./ui/dom";
import { format_link, parse_link, type Link } from "./ui/hash";
import { Help } from "./ui/help";
import { Inspector, type Selection } from "./ui/inspector";
import { folder_input, landing } from "./ui/landing";
import { draw_legend } from "./ui/legend";
import { Plots } from "./ui/plots";
import { COLOURS, SettingsPanel, default_settings } from "./ui/settings";
import { SPEEDS, Timeline } from "./ui/timeline";

interface Shown {
  run: Playable;
  view: RunView;
}

type Tab = "view" | "plots" | "pick";

/** Detail that the machine can draw: curve parts of all strands together. */
const PARTS_SOFTWARE = 90_000;
const PARTS_HARDWARE = 500_000;

export class App {
  readonly stage: Stage | null = null;
  t = 0;
  private sources: RunSource[] = [];
  private shown: Shown[] = [];
  private settings = default_settings();
  private playing = false;
  private waiting = false;
  private speed = 1;
  private loop = true;
  private last_tick = 0;
  private theme: ThemeName = "dark";
  private own_theme: string | undefined;
  private scale = new FieldScale("natural");
  private selected: { run: Playable; selection: Selection } | null = null;
  private link: Link = {};
  private tab: Tab | null = null;
  private seeking = 0;

  private canvas = h("canvas", { id: "canvas", tabindex: 0, "aria-label": "Picture of the run" });
  private stage_box = h("div", { class: "stage" }, this.canvas);
  private labels = h("div", { class: "labels" });
  private banners = h("div", { class: "banners", role: "status", "aria-live": "polite" });
  private legend = h("div", { class: "scale", id: "legend" });
  private runs_box = h("div", { class: "runs" });
  private panel_body = h("div", { class: "body" });
  private tabs = new Map<Tab, HTMLButtonElement>();
  private panel: HTMLElement;
  private contacts_button: HTMLButtonElement;
  private timeline: Timeline;
  private plots = new Plots({ seek: (t) => this.seek(t) });
  private inspector = new Inspector({ seek: (t) => this.seek(t), filter: (body) => this.filter(body), clear: () => this.select(null) });
  private settings_panel = new SettingsPanel(this.settings, { change: () => this.apply_settings(), look: (direction) => this.stage?.fit(direction) });
  private help = new Help();
  private input = folder_input((runs, had_files) => this.take(runs, had_files));
  private drop_hint = h("div", { class: "drop_hint" }, h("div", {}, icon("folder") as unknown as Node, "Drop the run folder"));

  constructor(private root: HTMLElement) {
    this.timeline = new Timeline({
      toggle: () => this.play(!this.playing),
      seek: (t) => this.seek(t),
      step: (frames) => this.step(frames),
      speed: (value) => this.set_speed(value),
      loop: (on) => this.set_loop(on),
    });
    this.contacts_button = button("contacts", "Contacts (c)", () => this.toggle_contacts(), "contacts");
    const tab_bar = h("nav", { role: "tablist" });
    for (const [tab, label] of [["view", "View"], ["plots", "Plots"], ["pick", "Picked"]] as const) {
      const one = h("button", { type: "button", role: "tab", id: `tab_${tab}`, onclick: () => this.open_tab(tab) }, label);
      this.tabs.set(tab, one);
      tab_bar.append(one);
    }
    this.panel = h("aside", { class: "panel" }, h("header", {}, tab_bar, button("close", "Close (p)", () => this.open_tab(null), "close_panel")), this.panel_body);
    this.panel_body.append(this.settings_panel.element, this.plots.element, this.inspector.element);
    const bar = h("header", { class: "topbar" },
      h("a", { class: "brand", title: "Capstan", href: "#", onclick: (event: Event) => event.preventDefault() }, brand_mark(), h("b", {}, "Capstan")),
      this.runs_box,
      h("span", { class: "tools" },
        button("folder", "Open a run folder", () => this.input.click(), "open"),
        this.contacts_button,
        button("plots", "Plots", () => this.open_tab(this.tab === "plots" ? null : "plots"), "plots"),
        button("target", "Fit the scene (f)", () => this.stage?.fit(), "fit"),
        button("camera", "Save the picture (s)", () => void this.screenshot(), "shot"),
        button("theme", "Dark or light (t)", () => this.toggle_theme(), "theme"),
        button("help", "Keys (?)", () => this.help.toggle(), "keys"),
        button("panel", "Panel (p)", () => this.open_tab(this.tab ? null : "view"), "panel")));
    this.stage_box.append(this.labels, this.legend);
    this.root.append(bar, h("div", { class: "middle" }, this.stage_box, this.panel), this.timeline.element, this.banners, this.help.element, this.input, this.drop_hint);
    this.timeline.set_options(this.speed, this.loop);
    this.listen();
    this.choose_theme();
  }

  // ---- starting ---------------------------------------------------------------------------------------------

  /** Shows the first of these runs, or those that the link names. */
  async start(sources: RunSource[]): Promise<void> {
    this.sources = sources;
    this.link = parse_link(location.hash);
    if (!sources.length) return this.show_landing(null);
    this.open_first_tab();
    const named = sources.filter((source) => this.link.runs?.includes(source.name));
    await this.show_runs(named.length ? named : [sources[0]]);
    const { link } = this;
    if (link.colour && COLOURS.some(([mode]) => mode === link.colour)) this.settings.colour = link.colour as typeof this.settings.colour;
    if (link.contacts) this.settings.contacts = true;
    this.settings_panel.refresh();
    this.apply_settings();
    if (link.cam) this.stage?.set_pose(link.cam);
    if (link.strand !== undefined && this.shown[0] && link.strand < this.shown[0].run.model.strands)
      this.select({ run: this.shown[0].run, selection: { kind: "strand", body: link.strand, other: 0, point: this.shown[0].run.model.points_per_strand[link.strand] - 1, place: [0, 0, 0] } }, false);
    if (link.t !== undefined) await this.seek_now(link.t);
    this.poll();
  }

  /** Before the first picture, which is fitted to what the panel leaves. */
  private open_first_tab(): void {
    const wanted = this.link.panel ?? (innerWidth >= 900 ? (recall("panel") ?? "view") : "none");
    this.open_tab(wanted === "view" || wanted === "plots" || wanted === "pick" ? wanted : null, false);
  }

  /** A simulation that goes on now, with controls of its own. */
  show_live(live: LiveRun, controls: HTMLElement): void {
    this.link = parse_link(location.hash);
    this.root.classList.add("live_mode");
    this.settings_panel.extra.append(controls);
    this.open_first_tab();
    this.make_stage([live]);
    const view = this.make_view(live);
    this.shown = [{ run: live, view }];
    this.stage!.set_views([view]);
    this.stage!.fit();
    if (this.link.cam) this.stage!.set_pose(this.link.cam);
    this.settings_panel.set_model(live.model);
    this.list_runs();
    this.restyle();
    this.apply_settings();
    this.show_newest();
  }

  show_newest(): void {
    this.t = this.duration;
    this.show_time();
  }

  replace_timeline(element: HTMLElement): void {
    this.timeline.element.replaceWith(element);
  }

  private show_landing(message: string | null): void {
    this.root.classList.add("empty_page");
    this.root.querySelector(".landing")?.remove();
    this.stage_box.append(landing(() => this.input.click(), message));
  }

  /** Adds runs that were dropped or picked, and shows them. */
  take(runs: RunSource[], had_files: boolean): void {
    if (!runs.length) {
      const message = had_files
        ? "There is no manifest.json in what you dropped. Choose the folder that \"capstan run\" wrote, for instance runs/curls, not a file inside it."
        : "The browser handed over no files. Try the button \"Choose a run folder\".";
      if (this.shown.length) this.notify(message, "warn");
      else this.show_landing(message);
      return;
    }
    this.sources = [...this.sources, ...runs];
    void this.show_runs(runs.slice(0, 4));
  }

  async show_runs(sources: RunSource[]): Promise<void> {
    const opened: Playable[] = [];
    for (const source of sources) {
      const old = this.shown.find(({ run }) => this.source_of(run) === source);
      if (old) {
        opened.push(old.run);
        continue;
      }
      try {
        const run = await Run.open(source);
        await run.ensure(0);
        await run.ensure_end();
        opened.push(run);
      } catch (error) {
        this.notify(`${source.name} cannot be shown. ${error instanceof Error ? error.message : String(error)}`, "warn");
      }
    }
    if (!opened.length) {
      if (!this.shown.length) this.show_landing(this.banners.textContent);
      return;
    }
    this.root.classList.remove("empty_page");
    this.root.querySelector(".landing")?.remove();
    const first_time = this.shown.length === 0;
    this.make_stage(opened);
    const next: Shown[] = [];
    for (const run of opened) {
      const old = this.shown.find((shown) => shown.run === run);
      next.push(old ?? { run, view: this.make_view(run) });
    }
    for (const old of this.shown) if (!next.includes(old)) old.view.dispose();
    const same_first = !first_time && next[0].run === this.shown[0].run;
    this.shown = next;
    for (const { run } of next) run.on_change = () => this.run_changed();
    if (this.selected && !next.some(({ run }) => run === this.selected!.run)) this.select(null);
    this.stage!.set_views(next.map(({ view }) => view));
    if (!same_first) this.stage!.fit();
    this.settings_panel.set_model(next[0].run.model);
    this.list_runs();
    this.restyle();
    this.apply_settings();
    this.run_changed();
    await this.seek_now(Math.min(this.t, this.duration));
    for (const { run } of next) void run.read_stats().then(() => this.stats_arrived());
  }

  private source_of(run: Playable): RunSource | null {
    return run instanceof Run ? run.source : null;
  }

  private make_stage(runs: Playable[]): void {
    if (this.stage) return;
    const software = drawn_by_software();
    const points = runs.reduce((sum, run) => sum + run.model.points, 0);
    const high = this.link.quality === "high";
    const ratio = this.link.ratio ?? (software ? 1 : Math.min(devicePixelRatio, 2));
    const stage = new Stage(this.canvas, software, high || !software || points < 12000, ratio);
    (this as { stage: Stage | null }).stage = stage;
    stage.on_camera = () => this.save_link();
    stage.on_layout = (places) => {
      this.labels.replaceChildren(...(this.shown.length > 1 ? places.map((place, k) =>
        h("span", { class: `c${k % 5}`, style: `left:${place.left}px;top:${place.top}px` }, this.shown[k]?.run.name ?? "")) : []));
    };
    this.picking(stage);
  }

  private make_view(run: Playable): RunView {
    const samples: Moment[] = [];
    // Frames of the beginning, and of the end if it is at hand, tell how large the scene is.
    const last = run.times.length - 1;
    const wanted = new Set([0, 6, 12, 18, Math.max(0, last - 8), last]);
    for (const frame of run.loaded_frames())
      if (wanted.has(frame.index)) samples.push({ time: frame.time, before: frame, after: frame, mix: 0 });
    const parts = this.stage!.software && this.link.quality !== "high" ? PARTS_SOFTWARE : PARTS_HARDWARE;
    return new RunView(run.model, samples, (index) => run.frame(index), parts);
  }

  /** A run that is still being computed grows. */
  private poll(): void {
    setInterval(() => {
      for (const { run } of this.shown) void this.follow(run);
    }, 2500);
  }

  private async follow(run: Playable): Promise<void> {
    try {
      if (!(await run.refresh())) return;
      await run.read_stats();
      this.stats_arrived();
    } catch {
      // The server may be gone for a moment; the next turn asks again.
    }
  }

  // ---- time -------------------------------------------------------------------------------------------------

  get duration(): number {
    return Math.max(0, ...this.shown.map(({ run }) => run.duration));
  }

  /** The run with most frames leads when stepping. */
  private get leader(): Playable | undefined {
    return this.shown.map(({ run }) => run).sort((a, b) => b.times.length - a.times.length)[0];
  }

  seek(t: number): void {
    void this.seek_now(t);
  }

  /** Resolves when the frame is drawn. A newer call makes an older one give up. */
  async seek_now(t: number): Promise<void> {
    this.t = Math.min(Math.max(0, t), this.duration);
    const ticket = ++this.seeking;
    this.show_time();
    await Promise.all(this.shown.map(({ run }) => run.ensure(this.t)));
    if (ticket !== this.seeking) return;
    this.show_time();
    await this.stage?.drawn();
    for (const { run } of this.shown) run.prefetch(this.t);
  }

  /** Shows what is in memory for the time; false if some of it is not there yet. */
  private show_time(): boolean {
    let complete = true;
    for (const { run, view } of this.shown) {
      const moment = run.moment(Math.min(this.t, run.duration));
      if (moment) view.show(moment);
      else complete = run.times.length === 0 ? complete : false;
    }
    this.update_clock();
    this.stage?.redraw();
    return complete;
  }

  private update_clock(): void {
    const leader = this.leader;
    this.timeline.set_time(this.t, leader ? leader.index_at(this.t) : 0, leader?.times.length ?? 0);
    this.plots.set_time(this.t);
    const selected = this.selected && this.shown.find(({ run }) => run === this.selected!.run);
    const moment = selected?.view.moment;
    if (moment) this.inspector.set_frame(moment.mix > 0.5 ? moment.after : moment.before, this.t);
    this.show_legend();
    this.save_link();
  }

  play(on: boolean): void {
    if (on === this.playing || !this.shown.length) return;
    this.playing = on;
    if (on && this.t >= this.duration - 1e-9) this.t = 0;
    this.last_tick = performance.now();
    this.timeline.set_playing(on, false);
    if (on) requestAnimationFrame((now) => this.tick(now));
    else this.save_link();
  }

  private tick(now: number): void {
    if (!this.playing) return;
    // After a pause of the page or a slow picture time goes on gently.
    const dt = (Math.min(250, Math.max(0, now - this.last_tick)) / 1000) * this.speed;
    this.last_tick = now;
    let next = this.t + dt;
    if (next >= this.duration) {
      if (this.loop) next = this.duration > 0 ? next % this.duration : 0;
      else {
        next = this.duration;
        this.play(false);
      }
    }
    const ready = this.shown.every(({ run }) => run.times.length === 0 || run.moment(Math.min(next, run.duration)) !== null);
    if (ready) {
      this.t = next;
      this.show_time();
      for (const { run } of this.shown) run.prefetch(next);
    } else for (const { run } of this.shown) void run.ensure(next);
    if (this.waiting !== !ready) {
      this.waiting = !ready;
      this.timeline.set_playing(this.playing, this.waiting);
    }
    if (this.playing) requestAnimationFrame((then) => this.tick(then));
  }

  step(frames: number): void {
    const run = this.leader;
    if (!run) return;
    this.play(false);
    const index = run.index_at(this.t);
    // Between two frames a step back goes to the earlier one first.
    const between = frames < 0 && this.t > run.times[index] + 1e-9 ? 1 : 0;
    this.seek(run.times[Math.min(Math.max(0, index + frames + between), run.times.length - 1)]);
  }

  set_speed(value: number): void {
    this.speed = value;
    this.timeline.set_options(value, this.loop);
  }

  set_loop(on: boolean): void {
    this.loop = on;
    this.timeline.set_options(this.speed, on);
  }

  // ---- what is shown ----------------------------------------------------------------------------------------

  private apply_settings(): void {
    const { settings } = this;
    if (this.scale.mode !== settings.colour) this.scale = new FieldScale(settings.colour);
    for (const { view } of this.shown) {
      view.colour(settings.colour, this.scale);
      view.strands.thicken = settings.thicken;
      view.strands.opacity = settings.fade ? 0.35 : 1;
      view.grid = settings.grid;
      view.contacts.object.visible = settings.contacts;
      view.contacts.dots = settings.dots;
      view.contacts.arrows = settings.arrows;
      view.contacts.colouring = settings.contact_colour;
      view.contacts.body = settings.filter;
      view.update_contacts();
      view.contacts.scale = settings.arrow_scale;
    }
    this.contacts_button.setAttribute("aria-pressed", String(settings.contacts));
    this.show_legend();
    this.save_link();
    this.stage?.redraw();
  }

  private show_legend(): void {
    const states = this.shown.some(({ view }) => view.moment?.before.contacts.state);
    const force = Math.max(0, ...this.shown.map(({ view }) => view.contacts.force_range[1] * (view.contacts.typical > 0 ? 1 : 0)));
    draw_legend(this.legend, this.settings, this.scale.high, states, force);
  }

  private toggle_contacts(): void {
    this.settings.contacts = !this.settings.contacts;
    this.settings_panel.refresh();
    this.apply_settings();
  }

  private filter(body: number): void {
    this.settings.filter = this.settings.filter === body ? null : body;
    this.settings.contacts = true;
    this.settings_panel.refresh();
    this.apply_settings();
  }

  private run_changed(): void {
    const loaded = this.shown[0]?.run.ranges("loaded") ?? [];
    this.timeline.set_duration(this.duration);
    this.timeline.set_ranges(loaded, this.shown.flatMap(({ run }) => run.ranges("lost")));
    for (const { run } of this.shown) for (const warning of run.warnings) this.notify(warning, "warn");
    if (this.shown[0]?.run.times.length === 0) this.notify(`${this.shown[0].run.name} has no frames yet. If it is still being computed, they will appear here.`, "info");
    this.trace_soon();
  }

  private trace_timer = 0;
  private trace_soon(): void {
    if (!this.selected || this.trace_timer) return;
    this.trace_timer = window.setTimeout(() => {
      this.trace_timer = 0;
      this.inspector.trace();
    }, 300);
  }

  private stats_arrived(): void {
    const first = this.shown[0]?.run;
    if (first) this.timeline.set_curve(first.stats.columns.get("t") ?? [], first.stats.columns.get("contacts") ?? []);
    this.plots.set_runs(this.shown.map(({ run }) => run), this.duration);
  }

  /** The list of runs: one is shown, or several beside each other. */
  private list_runs(): void {
    const names = this.shown.map(({ run }) => run.name).join(" · ");
    if (this.sources.length < 2) {
      this.runs_box.replaceChildren(h("span", { class: "title", id: "run_name" }, names));
      return;
    }
    const menu = h("div", { class: "menu glass" }, h("p", {}, "Tick several to compare them: one timeline, one camera."));
    for (const source of this.sources) {
      const on = this.shown.some(({ run }) => this.source_of(run) === source);
      const box = h("input", { type: "checkbox", checked: on, "data-run": source.name, onchange: () => {
        const now = this.shown.map(({ run }) => this.source_of(run)!);
        const next = box.checked ? [...now, source] : now.filter((other) => other !== source);
        if (next.length) void this.show_runs(next);
        else box.checked = true;
      } });
      const only = h("button", { type: "button", onclick: () => { details.open = false; void this.show_runs([source]); } }, source.name);
      menu.append(h("div", { class: "line" }, h("label", { title: "Beside the others" }, box), only));
    }
    const open = this.runs_box.querySelector("details")?.open ?? false;
    const details = h("details", { id: "runs_menu", open }, h("summary", {}, h("span", { class: "title", id: "run_name" }, names), h("small", {}, `${this.sources.length} runs`)), menu);
    this.runs_box.replaceChildren(details);
  }

  // ---- picking ----------------------------------------------------------------------------------------------

  private picking(stage: Stage): void {
    let down: { x: number; y: number; time: number } | null = null;
    this.canvas.addEventListener("pointerdown", (event) => {
      down = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY, time: event.timeStamp } : null;
    });
    this.canvas.addEventListener("pointerup", (event) => {
      if (!down || Math.hypot(event.clientX - down.x, event.clientY - down.y) > 5 || event.timeStamp - down.time > 700) return;
      const hit = stage.pick(event);
      const shown = hit && this.shown.find(({ view }) => view === hit.view);
      if (!shown || !hit.pick) return this.select(null);
      const { pick } = hit;
      const moment = shown.view.moment!;
      const contacts = (moment.mix > 0.5 ? moment.after : moment.before).contacts;
      const contact = pick.kind === "contact";
      this.select({ run: shown.run, selection: {
        kind: pick.kind, body: contact ? contacts.a[pick.body] : pick.body, other: contact ? contacts.b[pick.body] : 0, point: pick.point, place: pick.place.toArray(),
      } });
    });
    this.canvas.addEventListener("dblclick", (event) => {
      const hit = stage.pick(event);
      if (hit?.pick) this.look_at(hit.pick.place);
    });
  }

  private look_at(place: Vector3): void {
    const stage = this.stage!;
    const offset = stage.camera.position.clone().sub(stage.controls.target).multiplyScalar(0.6);
    stage.set_pose({ position: place.clone().add(offset).toArray(), target: place.toArray() });
  }

  private select(selected: { run: Playable; selection: Selection } | null, open = true): void {
    this.selected = selected;
    for (const { run, view } of this.shown) {
      const here = selected?.run === run ? selected.selection : null;
      view.strands.selected = here && here.kind !== "obstacle" ? here.body : -1;
      view.obstacles.selected = here?.kind === "obstacle" ? here.body : here?.kind === "contact" && here.other < 0 ? -1 - here.other : -1;
    }
    if (selected && open) this.open_tab("pick", false);
    this.inspector.show(selected && { name: selected.run.name, model: selected.run.model, end: this.duration, frames: () => selected.run.loaded_frames() as Iterable<Frame> }, selected?.selection ?? null);
    this.tabs.get("pick")!.classList.toggle("live", selected !== null);
    this.update_clock();
    this.stage?.redraw();
  }

  // ---- page -------------------------------------------------------------------------------------------------

  private open_tab(tab: Tab | null, by_hand = true): void {
    this.tab = tab;
    this.root.classList.toggle("with_panel", tab !== null);
    for (const [name, one] of this.tabs) one.setAttribute("aria-selected", String(name === tab));
    this.settings_panel.element.hidden = tab !== "view";
    this.plots.element.hidden = tab !== "plots";
    this.inspector.element.hidden = tab !== "pick";
    if (by_hand && innerWidth >= 900 && tab !== "pick") remember("panel", tab ?? "none");
    if (tab === "plots") this.plots.build();
    if (tab === "pick") this.inspector.trace();
    if (this.shown.length) this.update_clock();
  }

  /** A message that stays until it is closed. The same one is not repeated. */
  notify(text: string, kind: "warn" | "info"): void {
    if ([...this.banners.children].some((child) => (child as HTMLElement).dataset.text === text)) return;
    const banner = h("div", { class: `banner glass ${kind}`, "data-text": text }, icon(kind === "warn" ? "warn" : "help") as unknown as Node, h("span", {}, text), button("close", "Close", () => { banner.hidden = true; }));
    this.banners.append(banner);
  }

  private choose_theme(): void {
    const system = matchMedia("(prefers-color-scheme: light)");
    const decide = () => {
      const chosen = parse_link(location.hash).theme ?? this.own_theme ?? recall("theme");
      this.theme = chosen === "light" || chosen === "dark" ? chosen : system.matches ? "light" : "dark";
      this.restyle();
    };
    system.addEventListener("change", decide);
    decide();
  }

  private toggle_theme(): void {
    this.theme = this.theme === "dark" ? "light" : "dark";
    this.own_theme = this.theme;
    if (this.link.theme) this.link.theme = this.theme;
    remember("theme", this.theme);
    this.restyle();
  }

  private restyle(): void {
    document.documentElement.dataset.theme = this.theme;
    for (const { view } of this.shown) view.theme(this.theme);
    this.plots.build();
    this.inspector.trace();
    this.stats_arrived();
    this.stage?.redraw();
  }

  private async screenshot(): Promise<void> {
    if (!this.stage) return;
    const name = `${this.shown.map(({ run }) => run.name).join("_")}_${this.t.toFixed(3)}s.png`;
    const url = URL.createObjectURL(await this.stage.picture());
    h("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 5000);
  }

  private link_timer = 0;
  private save_link(): void {
    if (this.link_timer || !this.shown.length) return;
    this.link_timer = window.setTimeout(() => {
      this.link_timer = 0;
      if (!this.stage) return;
      const selection = this.selected?.selection;
      const text = format_link({
        ...this.link,
        t: this.t,
        cam: this.stage.pose(),
        colour: this.settings.colour,
        contacts: this.settings.contacts,
        strand: selection?.kind === "strand" ? selection.body : undefined,
        runs: this.sources.length > 1 ? this.shown.map(({ run }) => run.name) : undefined,
      });
      this.written = text;
      history.replaceState(null, "", text);
    }, 250);
  }
  private written = "";

  private listen(): void {
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => {
      if (location.hash === this.written) return;
      const link = parse_link(location.hash);
      if (link.cam) this.stage?.set_pose(link.cam);
      if (link.t !== undefined) this.seek(link.t);
    });
    // After a click the keyboard belongs to the picture again; after a tab key it stays where it is.
    addEventListener("click", (event) => {
      const pressed = (event.target as HTMLElement).closest?.("button, summary, input[type=checkbox], input[type=radio]");
      if (event.detail > 0) (pressed as HTMLElement | null)?.blur();
    });
    addEventListener("change", (event) => (event.target as HTMLElement).matches?.("select") && (event.target as HTMLElement).blur());
    let inside = 0;
    const hint = (on: boolean) => this.root.classList.toggle("dropping", on);
    addEventListener("dragenter", (event) => { event.preventDefault(); ++inside; hint(true); });
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("dragleave", () => { inside = Math.max(0, inside - 1); hint(inside > 0); });
    addEventListener("drop", (event) => {
      event.preventDefault();
      inside = 0;
      hint(false);
      if (!event.dataTransfer) return;
      const had_files = event.dataTransfer.items.length > 0;
      void runs_of_drop(event.dataTransfer).then((runs) => this.take(runs, had_files));
    });
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches?.("input:not([type=checkbox]):not([type=radio]), select, textarea")) return;
    // Who walks through the page by keyboard presses buttons with space and turns radios with arrows.
    if (event.key === " " && target.matches?.("button, input, summary")) return;
    if (event.key.startsWith("Arrow") && target.matches?.("input[type=radio]")) return;
    if (event.key === "?") return this.help.toggle();
    if (this.help.element.open) return;
    const actions: Record<string, () => void> = {
      " ": () => this.play(!this.playing),
      ArrowLeft: () => this.step(event.shiftKey ? -10 : -1),
      ArrowRight: () => this.step(event.shiftKey ? 10 : 1),
      Home: () => this.seek(0),
      End: () => this.seek(this.duration),
      "[": () => this.change_speed(-1),
      "]": () => this.change_speed(1),
      l: () => this.set_loop(!this.loop),
      c: () => this.toggle_contacts(),
      a: () => { this.settings.arrows = !this.settings.arrows; this.settings_panel.refresh(); this.apply_settings(); },
      k: () => this.next_colour(),
      w: () => this.plots.jump_to_worst(),
      f: () => this.stage?.fit(),
      g: () => { this.settings.grid = !this.settings.grid; this.settings_panel.refresh(); this.apply_settings(); },
      p: () => this.open_tab(this.tab ? null : "view"),
      t: () => this.toggle_theme(),
      s: () => void this.screenshot(),
      Escape: () => (this.selected ? this.select(null) : this.open_tab(null)),
    };
    Object.values(VIEW_DIRECTIONS).forEach((direction, k) => (actions[String(k + 1)] = () => this.stage?.fit(direction)));
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  private change_speed(by: number): void {
    const k = SPEEDS.indexOf(this.speed) + by;
    this.set_speed(SPEEDS[Math.min(Math.max(0, k), SPEEDS.length - 1)]);
  }

  private next_colour(): void {
    const modes = COLOURS.map(([mode]) => mode);
    this.settings.colour = modes[(modes.indexOf(this.settings.colour) + 1) % modes.length];
    this.settings_panel.refresh();
    this.apply_settings();
  }

  // ---- for programs that drive the page ---------------------------------------------------------------------

  get times(): number[] {
    return Array.from(this.leader?.times ?? []);
  }

  async set_camera(pose: CameraPose | string): Promise<void> {
    if (typeof pose === "string") this.stage?.fit(VIEW_DIRECTIONS[pose]);
    else this.stage?.set_pose(pose);
    await this.stage?.drawn();
  }

  hide_ui(): void {
    this.open_tab(null, false);
    this.root.classList.add("bare");
    this.stage?.resize();
  }

  set_option(key: string, value: unknown): void {
    (this.settings as unknown as Record<string, unknown>)[key] = value;
    this.settings_panel.refresh();
    this.apply_settings();
  }
}

function brand_mark(): Node {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 32 32");
  svg.innerHTML = '<path d="M23.5 9.5a10 10 0 1 0 0 13" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round"/><circle cx="16" cy="16" r="3" fill="currentColor"/>';
  return svg;
}
