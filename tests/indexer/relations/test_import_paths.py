"""Which files an import means."""

import pytest
from cases import rows

from knowledge.relation_paths import import_distance, last_name


@pytest.mark.parametrize(
    ("target", "importer", "path", "name", "distance"),
    rows("""
        acme.net.stream               x.py             src/acme/net/stream.py                   ""        0
        acme.net.stream               x.py             acme/net/stream/__init__.py              ""        0
        acme.net.Stream               x.py             acme/net.py                              Stream    0
        acme.net.Stream               x.py             acme/net.py                              Other     None
        acme.net.Stream               x.py             acme/net/base.py                         Stream    1
        acme.net                      x.py             acme/network.py                          ""        None
        os                            x.py             acme/os.py                               ""        None
        os                            x.py             src/os.py                                ""        0
        requests.Session              x.py             acme/requests.py                         Session   None
        .stream.close                 acme/net/app.py  acme/net/stream.py                       close     0
        ..pool                        acme/net/app.py  acme/pool.py                             ""        0
        ..pool                        acme/net/app.py  acme/net/pool.py                         ""        None
        .x                            app.py           x.py                                     ""        0
        ./pool                        web/app.ts       web/pool.ts                              ""        0
        ./pool                        web/app.ts       web/pool/index.ts                        ""        0
        ./pool.js                     web/app.ts       web/pool.ts                              ""        0
        ../pool#take                  web/in/app.ts    web/pool.ts                              take      0
        ../pool#take                  web/in/app.ts    web/pool.ts                              give      None
        ..                            web/in/app.ts    web/index.ts                             ""        0
        ./pool                        web/app.ts       other/pool.ts                            ""        None
        @acme/server#run              x.ts             packages/server/src/run.ts               run       2
        react#useState                x.ts             web/react.ts                             useState  None
        github.com/acme/app/pool      x.go             pool/take.go                             Take      1
        github.com/acme/app/net/pool  x.go             net/pool/take.go                         Take      1
        com.acme.Stream               X.java           core/src/main/java/com/acme/Stream.java  Stream    0
        com.acme                      X.java           core/src/main/java/com/acme/Stream.java  Stream    1
        ./pool.h                      net/a.c          net/pool.c                               take      0
        net/pool.h                    b.c              src/net/pool.h                           take      0
        crate.pool.Pool               src/lib.rs       src/pool/mod.rs                          Pool      0
    """),
)
def test_distance_of_a_file_from_what_is_imported(target, importer, path, name, distance):
    assert str(import_distance(target, importer, path, name)) == distance


@pytest.mark.parametrize(
    ("target", "name"),
    rows("""
        self.stream.close     close
        .close                close
        close                 close
        ./util.js#load        load
        react#useState        useState
        ../lib/util.js        util
        github.com/acme/pool  pool
        this.#hidden          hidden
        a.b.c                 c
    """),
)
def test_last_name_of_a_target(target, name):
    assert last_name(target) == name
