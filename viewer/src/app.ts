// Puts runs, pictures and controls together.

import { Vector3 } from "three";
import type { Frame } from "./run/frame";
import type { LiveRun } from "./live/live_run";
import { sample_moments, type Playable } from "./run/playable";
import { Run } from "./run/run";
import type { RunSource } from "./source/source";
import { FieldScale, RunView } from "./view/run_view";
import type { Detail } from "./view/strands";
import { Stage, VIEW_DIRECTIONS, drawn_by_software, type CameraPose, type Picked } from "./view/stage";
import { Address } from "./ui/address";
import { Banners } from "./ui/banners";
import { brand_mark, button, h, icon, recall, remember, save_as } from "./ui/dom";
import { accept_drops } from "./ui/drop";
import { parse_link, type Link } from "./ui/hash";
import { Help } from "./ui/help";
import { listen_to_keys } from "./ui/keys";
import { Inspector, type Selection } from "./ui/inspector";
import { folder_input, landing } from "./ui/landing";
import { draw_legend } from "./ui/legend";
import { listen_to_clicks } from "./ui/picking";
import { Panel, type Tab } from "./ui/panel";
import { Plots } from "./ui/plots";
import { draw_run_menu } from "./ui/run_menu";
import { COLOURS, SettingsPanel, default_settings } from "./ui/settings";
import { ThemeChoice } from "./ui/theme_choice";
import { SPEEDS, Timeline } from "./ui/timeline";

interface Shown {
  run: Playable;
  view: RunView;
}

const BY_SOFTWARE: Detail = { most_parts: 90_000, thin: true };
const BY_HARDWARE: Detail = { most_parts: 500_000, thin: false };
const MOST_AT_ONCE = 4; // runs beside each other, unless more are ticked

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
  private theme = new ThemeChoice(() => this.theme_changed());
  private scale = new FieldScale("natural");
  private selected: { run: Playable; selection: Selection } | null = null;
  private link: Link = {};
  private seeking = 0;
  private address = new Address(() => this.describe());

  private canvas = h("canvas", { id: "canvas", tabindex: 0, "aria-label": "Picture of the run" });
  private stage_box = h("div", { class: "stage" }, this.canvas);
  private labels = h("div", { class: "labels" });
  readonly banners = new Banners();
  private legend = h("div", { class: "scale", id: "legend" });
  private runs_box = h("div", { class: "runs" });
  private contacts_button: HTMLButtonElement;
  private timeline: Timeline;
  private plots = new Plots({ seek: (t) => this.seek(t) });
  private inspector = new Inspector({ seek: (t) => this.seek(t), filter: (body) => this.filter(body), clear: () => this.select(null) });
  private settings_panel = new SettingsPanel(this.settings, { change: () => this.apply_settings(), look: (direction) => this.stage?.fit(direction) });
  private panel = new Panel({ view: this.settings_panel.element, plots: this.plots.element, pick: this.inspector.element }, (tab) => this.open_tab(tab));
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
    const bar = h("header", { class: "topbar" },
      h("a", { class: "brand", title: "Capstan", href: "#", onclick: (event: Event) => event.preventDefault() }, brand_mark(), h("b", {}, "Capstan")),
      this.runs_box,
      h("span", { class: "tools" },
        button("folder", "Open a run folder", () => this.input.click(), "open"),
        this.contacts_button,
        button("plots", "Plots", () => this.open_tab(this.panel.tab === "plots" ? null : "plots"), "plots"),
        button("target", "Fit the scene (f)", () => this.stage?.fit(), "fit"),
        button("camera", "Save the picture (s)", () => void this.screenshot(), "shot"),
        button("theme", "Dark or light (t)", () => this.theme.toggle(), "theme"),
        button("help", "Keys (?)", () => this.help.toggle(), "keys"),
        button("panel", "Panel (p)", () => this.open_tab(this.panel.tab ? null : "view"), "panel")));
    this.stage_box.append(this.labels, this.legend);
    this.root.append(bar, h("div", { class: "middle" }, this.stage_box, this.panel.element), this.timeline.element, this.banners.element, this.help.element, this.input, this.drop_hint);
    this.timeline.set_options(this.speed, this.loop);
    this.listen();
    this.restyle();
  }

  // ---- starting ---------------------------------------------------------------------------------------------

  /** Shows these runs beside each other, or those that the link names. */
  async start(sources: RunSource[]): Promise<void> {
    this.sources = sources;
    this.link = parse_link(location.hash);
    if (!sources.length) return this.show_landing(null);
    this.open_first_tab();
    const named = sources.filter((source) => this.link.runs?.includes(source.name));
    await this.show_runs(named.length ? named : sources.slice(0, MOST_AT_ONCE));
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
    this.open_tab(this.panel.has(wanted) ? wanted : null, false);
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
      if (this.shown.length) this.banners.add(message, "warn");
      else this.show_landing(message);
      return;
    }
    this.sources = [...this.sources, ...runs];
    void this.show_runs(runs.slice(0, MOST_AT_ONCE));
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
        this.banners.add(`${source.name} cannot be shown. ${error instanceof Error ? error.message : String(error)}`, "warn");
      }
    }
    if (!opened.length) {
      if (!this.shown.length) this.show_landing(this.banners.text);
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
    stage.on_camera = () => this.address.update();
    stage.on_layout = (places) => {
      this.labels.replaceChildren(...(this.shown.length > 1 ? places.map((place, k) =>
        h("span", { class: `c${k % 5}`, style: `left:${place.left}px;top:${place.top}px` }, this.shown[k]?.run.name ?? "")) : []));
    };
    listen_to_clicks(stage, (hit) => this.picked(hit), (place) => this.look_at(place));
  }

  private make_view(run: Playable): RunView {
    const detail = this.stage!.software && this.link.quality !== "high" ? BY_SOFTWARE : BY_HARDWARE;
    return new RunView(run.model, sample_moments(run), (index) => run.frame(index), detail);
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
    // Who drags along the timeline wants the next place, not what comes after this one.
    clearTimeout(this.prefetch_timer);
    this.prefetch_timer = window.setTimeout(() => this.prefetch(), 250);
  }

  private prefetch_timer = 0;
  private prefetch(): void {
    for (const { run } of this.shown) run.prefetch(this.t);
  }

  /** Shows what is in memory for the time. */
  private show_time(): void {
    let changed = false;
    for (const { run, view } of this.shown) {
      const moment = run.moment(Math.min(this.t, run.duration));
      if (!moment) continue;
      view.show(moment);
      changed = true;
    }
    this.update_clock();
    if (changed) this.stage?.redraw();
  }

  private update_clock(): void {
    const leader = this.leader;
    this.timeline.set_time(this.t, leader ? leader.index_at(this.t) : 0, leader?.times.length ?? 0);
    this.plots.set_time(this.t);
    const selected = this.selected && this.shown.find(({ run }) => run === this.selected!.run);
    const moment = selected?.view.moment;
    if (moment) this.inspector.set_frame(moment.mix > 0.5 ? moment.after : moment.before, this.t);
    this.show_legend();
    this.address.update();
  }

  play(on: boolean): void {
    if (on === this.playing || !this.shown.length) return;
    this.playing = on;
    if (on && this.t >= this.duration - 1e-9) this.t = 0;
    this.last_tick = performance.now();
    this.timeline.set_playing(on, false);
    if (on) requestAnimationFrame((now) => this.tick(now));
    else this.address.update();
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
      this.prefetch();
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
    this.address.update();
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
    for (const { run } of this.shown) for (const warning of run.warnings) this.banners.add(warning, "warn");
    if (this.shown[0]?.run.times.length === 0) this.banners.add(`${this.shown[0].run.name} has no frames yet. If it is still being computed, they will appear here.`, "info");
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

  private list_runs(): void {
    const names = this.shown.map(({ run }) => run.name).join(" · ");
    const shown = this.shown.flatMap(({ run }) => this.source_of(run) ?? []);
    draw_run_menu(this.runs_box, names, this.sources, shown, (sources) => void this.show_runs(sources));
  }

  // ---- picking ----------------------------------------------------------------------------------------------

  private picked(hit: Picked | null): void {
    const shown = hit && this.shown.find(({ view }) => view === hit.view);
    if (!shown || !hit.pick) return this.select(null);
    const { pick } = hit;
    const moment = shown.view.moment!;
    const contacts = (moment.mix > 0.5 ? moment.after : moment.before).contacts;
    const contact = pick.kind === "contact";
    this.select({ run: shown.run, selection: {
      kind: pick.kind, body: contact ? contacts.a[pick.body] : pick.body, other: contact ? contacts.b[pick.body] : 0, point: pick.point, place: pick.place.toArray(),
    } });
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
    this.panel.mark("pick", selected !== null);
    this.update_clock();
    this.stage?.redraw();
  }

  // ---- page -------------------------------------------------------------------------------------------------

  private open_tab(tab: Tab | null, by_hand = true): void {
    this.panel.open(tab);
    this.root.classList.toggle("with_panel", tab !== null);
    if (by_hand && innerWidth >= 900 && tab !== "pick") remember("panel", tab ?? "none");
    if (tab === "plots") this.plots.build();
    if (tab === "pick") this.inspector.trace();
    if (this.shown.length) this.update_clock();
  }

  private theme_changed(): void {
    if (this.link.theme) this.link.theme = this.theme.name;
    this.restyle();
  }

  private restyle(): void {
    document.documentElement.dataset.theme = this.theme.name;
    for (const { view } of this.shown) view.theme(this.theme.name);
    this.plots.build();
    this.inspector.trace();
    this.stats_arrived();
    this.stage?.redraw();
  }

  private async screenshot(): Promise<void> {
    if (!this.stage) return;
    const name = `${this.shown.map(({ run }) => run.name).join("_")}_${this.t.toFixed(3)}s.png`;
    save_as(name, await this.stage.picture());
  }

  /** What the address of the page should say. */
  private describe(): Link | null {
    if (!this.stage || !this.shown.length) return null;
    const selection = this.selected?.selection;
    return {
      ...this.link,
      t: this.t,
      cam: this.stage.pose(),
      colour: this.settings.colour,
      contacts: this.settings.contacts,
      strand: selection?.kind === "strand" ? selection.body : undefined,
      runs: this.sources.length > 1 ? this.shown.map(({ run }) => run.name) : undefined,
    };
  }

  private listen(): void {
    listen_to_keys((shift) => (this.help.element.open ? { "?": () => this.help.toggle() } : this.actions(shift)));
    accept_drops((on) => this.root.classList.toggle("dropping", on), (runs, had_files) => this.take(runs, had_files));
    this.address.listen((link) => {
      if (link.cam) this.stage?.set_pose(link.cam);
      if (link.t !== undefined) this.seek(link.t);
    });
  }

  private actions(shift: boolean): Record<string, () => void> {
    const actions: Record<string, () => void> = {
      "?": () => this.help.toggle(),
      " ": () => this.play(!this.playing),
      ArrowLeft: () => this.step(shift ? -10 : -1),
      ArrowRight: () => this.step(shift ? 10 : 1),
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
      p: () => this.open_tab(this.panel.tab ? null : "view"),
      t: () => this.theme.toggle(),
      s: () => void this.screenshot(),
      Escape: () => (this.selected ? this.select(null) : this.open_tab(null)),
    };
    Object.values(VIEW_DIRECTIONS).forEach((direction, k) => (actions[String(k + 1)] = () => this.stage?.fit(direction)));
    return actions;
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
