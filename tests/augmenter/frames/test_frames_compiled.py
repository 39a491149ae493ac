"""Tracebacks of Go, Rust, C, C++ and Swift."""

import pytest
from cases import rows
from frame_rows import frames_of

from augmenter.frame_names import go, native, rust

GO = """\
panic: runtime error: index out of range [3] with length 3

goroutine 1 [running]:
main.run(0xc000012345, 0x3)
\t/home/ada/app/main.go:12 +0x1d
github.com/acme/web.(*Context).Next(...)
\t/home/ada/app/context.go:174
main.main.func1.2()
\tC:/Users/ada/app/main.go:30 +0x2b
main.Map[...](...)
\t/home/ada/app/map.go:5
created by main.main in goroutine 1
\t/home/ada/app/main.go:8 +0x25

goroutine 7 [select]:
github.com/acme/web/v2.(*Pool[...]).wait(0xc00001)
\t/home/ada/app/pool.go:9 +0x11
exit status 2
"""
GO_TEST = """\
--- FAIL: TestRun (0.00s)
    main_test.go:12: got 1
    main_test.go:13: got 2
        Error Trace:\t/app/main_test.go:20
"""
ZAP = "github.com/acme/web.(*Context).Next\n\t/home/ada/app/context.go:174\nmain.main\n\t/app/main.go:3\n"
GO_BLANKS = """\
panic: no
main.run(0xc000228000, 0xa1)
        /go/src/acme/parse.go:76 +0x19c
created by main.main
        /go/src/acme/main.go:20 +0x140
exit status 2
"""
RUST = """\
thread 'main' panicked at src/main.rs:4:5:
index out of bounds
stack backtrace:
   0: rust_begin_unwind
             at /rustc/90b35a6/library/std/src/panicking.rs:645:5
   3: app::parse::value
             at ./src/parse.rs:10:9
   4: <app::stream::EventStream<T> as core::ops::Drop>::drop
             at .\\src\\stream.rs:20
   5: app::main::{{closure}}
             at ./src/main.rs:30:9
   6: app::main::h0123456789abcdef
             at ./src/main.rs:3:5
note: Some details are omitted
"""
RUST_OTHER = """\
thread 'main' panicked at 'no, sir', src/old.rs:7:5
thread 'tests::it_opens' (4711) panicked at src/lib.rs:40:9:
assertion `left == right` failed
thread 'main' panicked at 'assertion failed: `(left == right)`
  left: `1`,
 right: `2`', src/older.rs:9:5
error[E0382]: borrow of moved value: `x`
  --> src/moved.rs:5:20
[src/debug.rs:6:5] x = 3
"""
GDB = """\
Program received signal SIGSEGV, Segmentation fault.
#0  0x0000555555555139 in open_car (car=0x0) at src/car.c:12
#1  acme::Garage<int>::fill (this=0x7ffe, cars=std::vector of length 2) at ../src/garage.cpp:20
#2  0x00007ffff7df00b3 in __libc_start_main () from /lib/x86_64-linux-gnu/libc.so.6
#3  0x0000555555555160 in (anonymous namespace)::main_loop () at main.cc:3
"""
ASAN = """\
==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010
    #0 0x4f1a2b in acme::Car::open(int, std::string const&) /app/src/car.cpp:12:5
    #1 0x4f1a99 in main /app/src/main.c:3
    #2 0x7f00 in __libc_start_main (/lib/libc.so.6+0x27)
"""
OTHER_C = """\
==7==    at 0x4C2FB0F: malloc (vg_replace_malloc.c:299)
==7==    by 0x108668: open_car (car.c:12)
src/limits.c:40:5: runtime error: signed integer overflow
app: src/check.c:50: open_car: Assertion `key != 0' failed.
  * frame #0: 0x0000000100003f app`open_car(key=1) at lldb.c:60:5
"""
SWIFT = """\
Acme/Car.swift:12: Fatal error: Unexpectedly found nil
0 [ra] 0x00005581 Car.open(_:) + 12 in App at /app/Sources/Acme/Door.swift:20:5
1 0x00005582 closure #1 in Garage.fill() + 7 in App at /app/Sources/Acme/Garage.swift:30:9
"""
APPLE = """\
3   App         0x0000000102a4 Car.open() + 123 (Car.swift:12)
4   App         0x0000000102b4 -[ACMGarage fill:] + 12 (ACMGarage.m:20)
"""


def test_go_with_the_names_of_the_lines_above():
    assert frames_of(GO) == rows("""
        0  /home/ada/app/main.go       12   main.run
        0  /home/ada/app/pool.go       9    v2.Pool.wait
        1  /home/ada/app/context.go    174  web.Context.Next
        2  C:/Users/ada/app/main.go    30   main.main
        3  /home/ada/app/map.go        5    main.Map
        4  /home/ada/app/main.go       8    main.main
    """)
    assert frames_of(ZAP) == rows("""
        0  /home/ada/app/context.go  174  web.Context.Next
        1  /app/main.go              3    main.main
    """)


def test_go_whose_tabs_were_pasted_as_blanks():
    assert frames_of(GO_BLANKS) == rows("""
        0  /go/src/acme/parse.go  76  main.run
        1  /go/src/acme/main.go   20  main.main
    """)


def test_messages_of_go_tests_name_no_function():
    assert {(path, line, name) for _, path, line, name in frames_of(GO_TEST)} == {
        ("main_test.go", "12", ""),
        ("main_test.go", "13", ""),
        ("/app/main_test.go", "20", ""),
    }


def test_rust():
    assert frames_of(RUST) == rows("""
        0  src/main.rs                                     4    ""
        0  /rustc/90b35a6/library/std/src/panicking.rs     645  rust_begin_unwind
        1  src/parse.rs                                    10   app.parse.value
        2  src/stream.rs                                   20   app.stream.EventStream.drop
        3  src/main.rs                                     30   app.main
        4  src/main.rs                                     3    app.main
    """)


def test_panics_and_messages_of_rust():
    assert {row[1:] for row in frames_of(RUST_OTHER)} == {
        *rows("""
            src/old.rs    7   ""
            src/lib.rs    40  tests.it_opens
            src/older.rs  9   ""
            src/moved.rs  5   ""
            src/debug.rs  6   ""
        """)
    }


def test_debuggers_and_sanitizers():
    assert frames_of(GDB) == rows("""
        0  src/car.c          12  open_car
        1  ../src/garage.cpp  20  acme.Garage.fill
        2  main.cc            3   main_loop
    """)
    assert frames_of(ASAN) == rows("""
        0  /app/src/car.cpp  12  acme.Car.open
        1  /app/src/main.c   3   main
    """)
    assert {row[1:] for row in frames_of(OTHER_C)} == {
        *rows("""
            vg_replace_malloc.c  299  malloc
            car.c                12   open_car
            src/limits.c         40   ""
            src/check.c          50   open_car
            lldb.c               60   open_car
        """)
    }


def test_swift():
    assert {row[1:] for row in frames_of(SWIFT)} == {
        *rows("""
            Acme/Car.swift                    12  ""
            /app/Sources/Acme/Door.swift      20  Car.open
            /app/Sources/Acme/Garage.swift    30  Garage.fill
        """)
    }
    assert frames_of(APPLE) == rows("""
        0  Car.swift    12  Car.open
        1  ACMGarage.m  20  ACMGarage.fill
    """)


@pytest.mark.parametrize(
    ("read", "name", "plain"),
    [
        (go, "web.(*Context).Next", "web.Context.Next"),
        (go, "main.(*T[...]).Run", "main.T.Run"),
        (go, "main.run.func1.gowrap2", "main.run"),
        (rust, "<impl app::Car>::open", "app.Car.open"),
        (rust, "app::{impl#0}::open", "app.open"),
        (rust, "app::run::impl$0::launch::closure_env$0", "app.run.launch"),
        (rust, "app::Box<alloc::vec::Vec<u8>>::fill", "app.Box.fill"),
        (native, "std::map<int, std::vector<int> >::at(int const&)", "std.map.at"),
        (native, "void acme::open<int>(int)", "acme.open"),
        (native, "closure #1 in Car.open(_:)", "Car.open"),
    ],
)
def test_names(read, name, plain):
    assert read(name) == plain
