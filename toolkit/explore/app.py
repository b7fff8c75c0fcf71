# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""The app: each cell shows a part of a panel. `iosq explore --edit FILE` opens a copy to change."""

import marimo

app = marimo.App(width="full", app_title="iosq explore", css_file="app.css")


@app.cell
def _():
    import marimo as mo

    # buttons in place of mo.ui.tabs, where moving the keyboard focus opens panels
    get_panel, set_panel = mo.state("Overview")
    get_span, set_span = mo.state("")
    names = ("Overview", "Drill", "Before and after", "What if", "SQL")
    buttons = [mo.ui.button(label=name, on_change=lambda _, name=name: set_panel(name)) for name in names]
    mo.vstack([mo.md("# iosq explore"), mo.hstack(buttons, justify="start", wrap=True)])
    return get_panel, get_span, mo, set_span


@app.cell
def _():
    import iosq
    from iosq.toolkit.explore import before_after, drill, health, look, statement, what_if
    from iosq.toolkit.explore.source import span_of, started

    look.keep_local()
    source = started()
    lake = source.part()
    return before_after, drill, health, iosq, lake, look, source, span_of, statement, what_if


@app.cell
def _(get_panel, lake, look):
    panel = get_panel()
    look.text(f"{panel}: lake {lake.label}")
    return (panel,)


@app.cell
def _(get_span, mo, panel, set_span):
    mo.stop(panel not in ("Overview", "Drill"))
    typed = mo.ui.text(
        value=get_span(),
        on_change=lambda words: set_span(words.strip()),
        label="Time",
        placeholder="all, or 2025-11-18T08:00..T12:00",
        full_width=True,
    )
    typed


@app.cell
def _(get_span, look, source):
    with look.failing():
        part = source.part(get_span())
    return (part,)


@app.cell
def _(health, lake, look):
    with look.failing():
        cells = health.known_cells(lake)
    return (cells,)


@app.cell
def _(cells, health, look, mo, panel, set_span, span_of):
    mo.stop(panel != "Overview")
    grid = look.brushed(health.grid(cells), lambda chosen: set_span(span_of(chosen)))
    look.stacked(look.text("Hours of each box and system: limits of rules that are exceeded", "h2"), grid)


@app.cell
def _(cells, health, lake, look, mo, panel, source):
    mo.stop(panel != "Overview")
    look.stacked(
        look.text("Hours with most time above a limit", "h2"),
        look.sentences(health.worst_hours(cells)),
        look.same(*(source.command(["sql", q.spelled(**asked)]) for q, asked in health.questions(lake).items())),
    )


@app.cell
def _(drill, get_span, look, mo, panel, part, source):
    mo.stop(panel != "Overview")
    with look.failing():
        worst = drill.worst(part)
    look.stacked(
        look.text("The ten volumes that lose most time", "h2"),
        look.table(worst.rows, page_size=10),
        look.same(source.command(["sql", worst.sql], get_span()), sql=worst.sql),
    )


@app.cell
def _(cells, health, lake, mo):
    # the rules read the whole span, so they run in a thread, and panels stay responsive
    get_findings, set_findings = mo.state(None)
    _ = cells  # dependency: the grid and the cells above run first
    mo.Thread(target=lambda: set_findings(health.found(lake))).start()
    return (get_findings,)


@app.cell
def _(get_findings, get_span, health, look, mo, panel, source):
    mo.stop(panel != "Overview")
    findings = get_findings()
    mo.stop(findings is None, look.text("The rules read the whole span: findings follow here."))
    mo.stop(isinstance(findings, str), look.text(str(findings)))
    near = health.within(findings, get_span())
    look.stacked(
        look.text(f"Findings: {len(near)} of {len(findings)} are about this time", "h2"),
        look.cards(near, findings.heading),
        look.same(source.command(["advise", "all"])),
    )


@app.cell
def _(drill, look, mo, panel, part):
    mo.stop(panel != "Drill")
    with look.failing():
        box_rows = drill.boxes(part)
    box_choice = look.table(box_rows.rows, page_size=5, single=True)
    look.stacked(look.text("Boxes", "h2"), box_choice) if box_rows.rows else look.text("No cache record names a box.")
    return box_choice, box_rows


@app.cell
def _(box_choice, box_rows, drill, get_span, look, part, source):
    box = look.chosen(box_choice, "box")
    with look.failing():
        lcu_rows = drill.lcus(part, box)
    lcu_choice = look.table(lcu_rows.rows, page_size=8, single=True)
    look.stacked(
        look.text(f"LCUs of box {box}" if box else "LCUs", "h2"),
        lcu_choice,
        look.same(*(source.command(["sql", rows.sql], get_span()) for rows in (box_rows, lcu_rows))),
    )
    return (lcu_choice,)


@app.cell
def _(drill, get_span, lcu_choice, look, mo, source):
    lcu, lcu_system = look.chosen(lcu_choice, "unit"), look.chosen(lcu_choice, "system")
    mo.stop(not lcu_system, look.text("Choose an LCU for its volumes."))
    with look.failing():
        volume_rows = drill.rows_of(source.part(get_span(), lcu=lcu, system=lcu_system), "volumes")
    volume_choice = look.table(volume_rows.rows, page_size=8, single=True)
    look.stacked(
        look.text(f"Volumes of LCU {lcu} on {lcu_system}" if lcu else f"Volumes of {lcu_system}", "h2"),
        volume_choice,
        look.same(source.command(["sql", volume_rows.sql], get_span(), lcu=lcu, system=lcu_system)),
    )
    return (volume_choice,)


@app.cell
def _(drill, look, mo, volume_choice):
    volume, system = look.chosen(volume_choice, "Volume"), look.chosen(volume_choice, "System")
    mo.stop(not volume, look.text("Choose a volume for its response, data sets, paths, ranks and neighbours."))
    chart_choice = mo.ui.dropdown(drill.CHARTS, value=next(iter(drill.CHARTS)), label="Chart")
    table_choice = mo.ui.dropdown(drill.TABLES, value=next(iter(drill.TABLES)), label="Table")
    look.text(f"Volume {volume} on {system}", "h2")
    return chart_choice, system, table_choice, volume


@app.cell
def _(chart_choice, drill, get_span, look, source, system, volume):
    asked = {"volume": volume, "system": system}
    look.stacked(
        chart_choice,
        look.drawing(drill.drawn(source.part(get_span(), **asked), chart_choice.value)),
        look.same(
            source.command(["chart", chart_choice.value], get_span(), **asked),
            sql=drill.chart_sql(chart_choice.value),
        ),
    )
    return (asked,)


@app.cell
def _(asked, drill, get_span, look, source, table_choice):
    with look.failing():
        narrowed = drill.narrowing(table_choice.value, asked)
        listing = drill.rows_of(source.part(get_span(), **narrowed), table_choice.value)
    look.stacked(
        table_choice,
        look.table(listing.rows, page_size=8) if listing.rows else look.text("The lake has no rows for it."),
        look.same(source.command(["sql", listing.sql], get_span(), **narrowed)),
    )


@app.cell
def _(drill, get_span, look, part, source, system, volume):
    with look.failing():
        near_rows = drill.neighbours(part, volume, system)
    look.stacked(
        look.text(f"Neighbours of {volume}: the same rank, pool, LCU or path", "h2"),
        look.table(near_rows.rows, page_size=8) if near_rows.rows else look.text("No volume shares anything known."),
        look.same(source.command(["sql", near_rows.sql], get_span())),
    )


@app.cell
def _(before_after, lake, look, mo, panel, span_of):
    mo.stop(panel != "Before and after")
    with look.failing():
        hours = before_after.hours(lake)
    get_before, set_before = mo.state("")
    get_after, set_after = mo.state("")
    before_strip = look.brushed(before_after.strip(hours, "Before"), lambda chosen: set_before(span_of(chosen)))
    after_strip = look.brushed(before_after.strip(hours, "After"), lambda chosen: set_after(span_of(chosen)))
    look.stacked(look.text("Drag over the time before, and over the time after", "h2"), before_strip, after_strip)
    return get_after, get_before, set_after, set_before


@app.cell
def _(get_after, get_before, mo, set_after, set_before):
    sides = [
        mo.ui.text(value=get(), on_change=put, label=label, placeholder="2025-11-18T08:00..T12:00", full_width=True)
        for label, get, put in (("Before", get_before, set_before), ("After", get_after, set_after))
    ]
    mo.hstack(sides, widths="equal", wrap=True)


@app.cell
def _(before_after, get_after, get_before, look, mo, source):
    mo.stop(not (get_before() and get_after()), look.text("Two times are compared as soon as both are chosen."))
    with look.failing(), mo.status.spinner("Compares"):
        changed, change_rows = before_after.compared(source.part(get_before()), source.part(get_after()))
    look.stacked(
        look.text("What changed", "h2"),
        look.sentences(changed),
        look.table(change_rows, page_size=10),
        look.same(source.command(["compare", get_before(), get_after()]), sql=before_after.HOURS.sql),
    )


@app.cell
def _(drill, lake, mo, panel, what_if):
    mo.stop(panel != "What if")
    known = [f"{row['Volume']} on {row['System']}" for row in drill.rows_of(lake, "volumes").rows]
    subject = mo.ui.dropdown(known, value=known[0], searchable=True, label="Volume")
    machine = mo.ui.dropdown([what_if.MEASURED, *what_if.machines()], value=what_if.MEASURED, label="Its box")
    most = mo.ui.slider(2, 32, value=12, label="Aliases up to", show_value=True)
    predict = mo.ui.run_button(label="Predict")
    fed_by = what_if.sql(lake)
    mo.vstack([mo.hstack([subject, machine, most], justify="start", wrap=True), predict])
    return fed_by, machine, most, predict, subject


@app.cell
def _(look, machine, mo, most, predict, source, subject, what_if):
    mo.stop(not predict.value, look.text("More or fewer aliases: the curve, with what was measured."))
    pav_volume, _, pav_system = subject.value.rpartition(" on ")
    with look.failing(), mo.status.spinner("Solves the box"):
        curve = what_if.pav(source.part(system=pav_system), pav_volume, most.value, machine.value)
    count = mo.ui.slider(steps=what_if.counts(curve), value=what_if.today(curve), label="Aliases", show_value=True)
    given = [] if machine.value == what_if.MEASURED else ["--machine", machine.value]
    pav_command = source.command(
        ["simulate", "pav", pav_volume, "--aliases", str(most.value), *given], system=pav_system
    )
    return count, curve, pav_command


@app.cell
def _(count, curve, fed_by, look, pav_command, what_if):
    look.stacked(
        look.sentences(curve.conclusions),
        look.drawing(curve.draw() if curve.draw else "There is nothing to draw.", curve.conclusions),
        count,
        look.sentences(what_if.chosen(curve, count.value)),
        look.same(pav_command, sql=fed_by),
    )


@app.cell
def _(lake, look, mo, panel, what_if):
    mo.stop(panel != "What if")
    target = mo.ui.dropdown(what_if.targets(lake), value=what_if.machines()[0], label="Another machine or box")
    growth = mo.ui.slider(0.5, 3.0, 0.1, value=1.0, label="Growth of the load", show_value=True)
    move = mo.ui.run_button(label="Move the load")
    mo.vstack([
        look.text("Another machine", "h2"), mo.hstack([target, growth], justify="start", wrap=True), move,
    ])  # fmt: skip
    return growth, move, target


@app.cell
def _(fed_by, growth, lake, look, mo, move, source, target, what_if):
    mo.stop(not move.value, look.text("The busiest interval of all volumes, on another machine."))
    with look.failing(), mo.status.spinner("Solves the machine"):
        moved = what_if.migrate(lake, target.value, growth.value)
        grown = what_if.over_growth(lake, target.value, moved.common.get("boxes"))
    look.stacked(
        look.sentences(moved.conclusions),
        look.drawing(moved.draw() if moved.draw else "There is nothing to draw.", moved.conclusions),
        look.drawing(what_if.growth_curve(grown)),
        look.table(moved.rows, page_size=8),
        look.same(
            source.command(["simulate", "migrate", "--to", target.value, "--growth", str(growth.value)]),
            sql=fed_by,
        ),
    )


@app.cell
def _(iosq, mo, panel, statement):
    mo.stop(panel != "SQL")
    editor = mo.ui.code_editor(statement.FIRST, language="sql", min_height=120, label="One SELECT")
    run = mo.ui.run_button(label="Run")
    view = mo.ui.dropdown(sorted(iosq.views()), value="volume_interval", searchable=True, label="Dictionary")
    mo.vstack([editor, run])
    return editor, run, view


@app.cell
def _(editor, lake, look, mo, run, source, statement):
    mo.stop(not run.value)
    with look.failing():
        frame, counted = statement.rows(lake, editor.value)
    files = [
        mo.download(statement.written(lake, editor.value, form), filename=f"result.{form}", label=name)
        for name, form in statement.FORMS.items()
    ]
    look.stacked(
        look.table(frame.to_dicts(), page_size=20),
        look.text(counted),
        mo.hstack(files, justify="start"),
        look.same(source.command(["sql", editor.value])),
    )


@app.cell
def _(iosq, look, statement, view):
    look.stacked(
        view,
        look.text(iosq.views()[view.value]),
        look.table(statement.dictionary(view.value), page_size=10, wrapped=["meaning"]),
    )


if __name__ == "__main__":
    app.run()
