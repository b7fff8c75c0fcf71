"""A JSON document to a web address, with a bounded number of attempts."""

import time
import urllib.error
import urllib.request

from iosq.toolkit.errors import RequestError

WAITS_S = (1.0, 3.0)
"""Between attempts, where the receiver does not answer or is overloaded."""
TIMEOUT_S = 10.0
OVERLOADED = (429, 502, 503, 504)


def checked(url: str, option: str, example: str) -> str:
    """The address; RequestError with the option and the example if it is none."""
    scheme, mark, rest = url.partition("://")
    if not mark or scheme not in ("http", "https") or not rest.strip("/"):
        raise RequestError("is no web address", place=f"{option} {url}", remedy=f"as {example}")
    return url


def post(url: str, content: bytes, *, option: str, receiver: str) -> None:
    """Send a JSON document.

    RequestError, with the `option` of the command line, if the `receiver` refuses or does not answer.
    """
    request = urllib.request.Request(url, content, {"Content-Type": "application/json"})
    for wait_s in (*WAITS_S, None):
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S):
                return
        except urllib.error.HTTPError as error:
            what, again = f"{receiver} answers {error.code} {error.reason}", error.code in OVERLOADED
        except (OSError, ValueError) as error:
            what, again = f"{receiver} does not answer: {getattr(error, 'reason', error)}", True
        if wait_s is None or not again:
            raise RequestError(what, place=f"{option} {url}", remedy="check the address")
        time.sleep(wait_s)
