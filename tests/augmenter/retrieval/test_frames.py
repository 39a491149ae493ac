"""Lines of tracebacks, as the languages print them."""

from cases import rows

from augmenter.mentions import MentionKind
from augmenter.task import understand

PYTHON = """\
Traceback (most recent call last):
  File "/srv/app/main.py", line 8, in <module>
    run()
  File "src/app/stream.py", line 12, in EventStream.close
    raise ValueError
  File "<stdin>", line 1, in <module>
  File "src/app/pool.py", line 7, in Pool.get.<locals>.wait
ValueError
"""
JAVA = """\
Exception in thread "main" java.lang.IllegalStateException: closed
\tat com.acme.net.Stream.close(Stream.java:12)
\tat com.acme.net.Stream$Reader.lambda$run$0(Stream.java:20)
\tat com.acme.net.Stream.<init>(Stream.java:5)
\tat java.base/java.lang.Thread.run(Thread.java:834)
\tat app//com.acme.MainKt.main(Main.kt:3)
\tat com.acme.Native.call(Native Method)
Caused by: java.lang.Error
\t... 3 more
"""
NODE = r"""
TypeError: x is not a function
    at closeAll (/srv/app/src/stream.js:10:15)
    at EventStream.close [as end] (/srv/app/src/stream.ts:20:3)
    at async run (file:///srv/app/src/run.mjs:30:1)
    at new Pool (C:\app\src\pool.js:40:9)
    at Object.<anonymous> (webpack:///./src/index.tsx:50:2)
    at /srv/app/src/bare.cjs:60:1
    at async /srv/app/src/later.js:70:1
    at Array.map (<anonymous>)
    at Module._compile (node:internal/modules/cjs/loader:1105:14)
"""
GO = """\
panic: runtime error: index out of range [3] with length 3

goroutine 1 [running]:
main.run(0xc000012345, 0x3)
\t/home/ada/app/main.go:12 +0x1d
github.com/acme/web.(*Context).Next(...)
\t/home/ada/app/context.go:174
main.main.func1()
\t/home/ada/app/main.go:30 +0x2b
created by main.main in goroutine 1
\t/home/ada/app/main.go:8 +0x25
exit status 2
"""
RUST = """\
thread 'main' panicked at src/main.rs:4:5:
index out of bounds
stack backtrace:
   3: app::parse::value
             at ./src/parse.rs:10:9
"""
RUST_OLD = "thread 'main' panicked at 'no, sir', src/old.rs:7:5"
RUSTC = "error[E0382]: borrow of moved value: `x`\n  --> src/lib.rs:5:20\n"


def frames(text):
    mentions = understand(text, 1 << 20).mentions
    return [(m.path, str(m.line), m.name) for m in mentions if m.kind is MentionKind.FRAME]


def test_python():
    assert frames(PYTHON) == rows("""
        /srv/app/main.py   8   ""
        src/app/stream.py  12  EventStream.close
        src/app/pool.py    7   Pool.get.wait
    """)


def test_java_with_the_folders_of_its_packages():
    assert frames(JAVA) == rows("""
        com/acme/net/Stream.java  12   com.acme.net.Stream.close
        com/acme/net/Stream.java  20   com.acme.net.Stream.Reader.run
        com/acme/net/Stream.java  5    com.acme.net.Stream
        java/lang/Thread.java     834  java.lang.Thread.run
        com/acme/Main.kt          3    com.acme.MainKt.main
    """)


def test_node():
    assert frames(NODE) == rows("""
        /srv/app/src/stream.js  10  closeAll
        /srv/app/src/stream.ts  20  EventStream.close
        /srv/app/src/run.mjs    30  run
        C:/app/src/pool.js      40  Pool
        /./src/index.tsx        50  ""
        /srv/app/src/bare.cjs   60  ""
        /srv/app/src/later.js   70  ""
    """)


def test_go_with_the_names_of_the_lines_above():
    assert frames(GO) == rows("""
        /home/ada/app/main.go     12   main.run
        /home/ada/app/context.go  174  web.Context.Next
        /home/ada/app/main.go     30   main.main
        /home/ada/app/main.go     8    main.main
    """)


def test_rust():
    assert frames(RUST) == [("src/main.rs", "4", ""), ("src/parse.rs", "10", "app.parse.value")]
    assert frames(RUST_OLD) == [("src/old.rs", "7", "")]
    assert frames(RUSTC)[0][:2] == ("src/lib.rs", "5")


def test_frames_are_found_in_fences_and_without_indentation():
    inner = "at closeAll (src/a.js:1:2)"
    assert frames(f"T\n```\n{inner}\n```") == frames(f"T\n{inner}") == [("src/a.js", "1", "closeAll")]


def test_file_of_a_frame_is_not_mentioned_as_a_path_too():
    kinds = {m.kind for m in understand(PYTHON + JAVA + NODE, 1 << 20).mentions}
    assert MentionKind.PATH not in kinds


def test_prose_about_lines_is_no_frame():
    assert frames("at noon (see stream.js)\nat lunch\nat 10:15\nFile a.py is new\n") == []
