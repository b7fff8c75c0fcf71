"""Converts printed cells into typed values, and completes whole rows; shared with the XML reader."""

from iosq.parsers.rmf.knowledge import Field, RowRule
from iosq.parsers.rmf.values import absent, number
from iosq.toolkit.rows import NewRow

Values = NewRow

MEASURED = ("activity_rate", "resp_ms", "conn_ms", "util_pct")
LARGEST = 1e18  # a sum of nine such values fits a 64-bit integer; more is damage


def put(values: Values, field: Field, text: str) -> bool:
    """Store a cell under its field's name (and its mark); False if the field is numeric and the cell is no number."""
    if field.numeric and text.replace(".", "", 1).isdecimal():  # fast path for most cells
        plain = float(text)
        if plain <= LARGEST and (field.simple or plain.is_integer()):
            values[field.name] = plain if field.simple else int(plain)
            return True
    text = text.strip()
    if not field.numeric:
        values[field.name] = text or None
        return True
    if absent(text):
        return True
    whole = field.column.type != "double"
    found = number(text, field.base, whole=whole)
    if found is None or (found[1] and not field.mark):
        return False
    if abs(found[0]) > LARGEST or (whole and text[-1].isdigit() and not found[0].is_integer()):
        return False
    values[field.name] = round(found[0]) if whole else found[0]
    if field.mark and found[1]:
        values[field.mark] = found[1]
    return True


def measured(values: Values) -> bool:
    """True if a row of the device report has measurements."""
    return any(values.get(name) is not None for name in MEASURED)


def dasd_row(values: Values, *, total: bool) -> str:
    """Complete a row of the device report and return the name of its table.

    A total is that of the LCU it names, else of the storage group, else of everything. A device is online if it has
    measurements, offline if its message states it, and unknown otherwise.
    """
    if total or not values.get("device"):
        lcu, group = values.pop("lcu", None), values.pop("storage_group", None)
        group_id = ("STORAGE GROUP", group) if group else ("ALL", None)
        values["total"], values["id"] = ("LCU", lcu) if lcu or values.get("volser") == "LCU" else group_id
        return "rmf_dasd_total"
    if measured(values):
        values["online"] = True
    elif "OFFLINE" in (values.get("message") or "").upper():
        values["online"] = False
    return "rmf_dasd_device"


def carry(values: Values, carried: Values, rule: RowRule) -> Values:
    """Complete an XML row with values that only the first of several rows has; return those for the next row.

    Carried values are dropped at a row with another owner and after an owner's last row.
    """
    given = {name: values[name] for name in rule.carried if values.get(name)}
    if any(carried.get(name, given[name]) != given[name] for name in rule.owner if name in given):
        carried = {}
    carried = {**carried, **given}
    values |= carried
    return {} if rule.last and values.get(rule.key) == rule.last else carried


def ioq_row(values: Values, scope: str | None) -> None:
    """Complete a control-unit row: an alias management group has no LCU, its name is stored in `amg`."""
    values["scope"] = scope
    if scope == "AMG" and values.get("lcu"):
        values["amg"] = values.pop("lcu")
