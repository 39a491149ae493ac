"""Tracebacks of JavaScript and TypeScript, Ruby and PHP."""

import pytest
from cases import rows
from frame_rows import frames_of

from augmenter.frame_names import php, ruby, script

NODE = r"""
TypeError: x is not a function
    at closeAll (/srv/app/src/stream.js:10:15)
    at EventStream.close [as end] (/srv/app/src/stream.ts:20:3)
    at async run (file:///srv/app/src/run.mjs:30:1)
    at new Pool (C:\app\src\pool.js:40:9)
    at Object.<anonymous> (webpack:///./src/index.tsx?1f0a:50:2)
    at /srv/app/src/bare.cjs:60:1
    at async /srv/app/src/later.js:70:1
    at Array.map (<anonymous>)
    at Page (webpack-internal:///(rsc)/./app/(shop)/page.tsx:80:11)
    at Car.get doors (/home/Ada L/app/car.ts:90:1)
    at eval (eval at build (/srv/app/src/build.js:95:3), <anonymous>:1:1)
    at async Promise.all (index 0)
    at App (http://localhost:5173/src/App.tsx?t=17:100:5)
    at Module._compile (node:internal/modules/cjs/loader:1105:14)
  [cause]: Error: disk
      at read (/srv/app/src/disk.js:5:1)
"""
FIREFOX = """\
open@http://localhost:3000/src/car.js:12:5
drive/<@file:///srv/app/drive.js:13:1
@http://localhost:3000/main.js:14:1
"""
VITEST = """\
 FAIL  src/car.test.ts > opens
AssertionError: expected 1 to be 2
 ❯ Car.open src/car.ts:12:5
 ❯ src/car.test.ts:5:17
"""
TSC = """\
src/car.ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'.
src/door.ts(3,1): error TS2304: Cannot find name 'x'.
"""
RUBY = """\
app/car.rb:12:in 'Integer#/': divided by 0 (ZeroDivisionError)
\tfrom app/car.rb:12:in 'Acme::Car#open'
\tfrom app/garage.rb:20:in 'block (2 levels) in Acme::Garage.fill'
\tfrom C:/app/main.rb:3:in '<main>'
"""
RUBY_OLD = """\
Traceback (most recent call last):
\t2: from app/main.rb:3:in `<main>'
\t1: from app/garage.rb:20:in `fill'
app/car.rb:12:in `rescue in open': no (RuntimeError)
"""
RSPEC = """\
     Failure/Error: expect(car).to be_open
     # ./app/car.rb:12:in 'Car#open?'
     # ./spec/car_spec.rb:5:in 'block (3 levels) in <top (required)>'
"""
PHP = r"""
PHP Fatal error:  Uncaught Acme\CarException: closed in /app/src/Car.php:12
Stack trace:
#0 /app/src/Garage.php(20): Acme\Car->open()
#1 /app/src/Garage.php(31): Acme\Garage::fill(Array, '/tmp')
#2 [internal function]: array_map()
#3 C:\app\public\index.php(3): Acme\Garage->{closure}()
#4 {main}
  thrown in /app/src/Car.php on line 12
"""


def test_node():
    assert frames_of(NODE) == rows("""
        0   /srv/app/src/stream.js            10   closeAll
        0   /srv/app/src/disk.js              5    read
        1   /srv/app/src/stream.ts            20   EventStream.close
        2   /srv/app/src/run.mjs              30   run
        3   C:/app/src/pool.js                40   Pool
        4   /./src/index.tsx                  50   ""
        5   /srv/app/src/bare.cjs             60   ""
        6   /srv/app/src/later.js             70   ""
        7   /(rsc)/./app/(shop)/page.tsx      80   Page
        8   /home/Ada L/app/car.ts            90   Car.doors
        9   /srv/app/src/build.js             95   eval
        10  /src/App.tsx                      100  App
    """)


def test_firefox_vitest_and_tsc():
    assert frames_of(FIREFOX) == rows("""
        0  /src/car.js         12  open
        1  /srv/app/drive.js   13  drive
        2  /main.js            14  ""
    """)
    assert frames_of(VITEST) == rows("""
        0  src/car.ts       12  Car.open
        1  src/car.test.ts  5   ""
    """)
    assert frames_of(TSC) == [("0", "src/car.ts", "12", ""), ("0", "src/door.ts", "3", "")]


def test_ruby():
    assert frames_of(RUBY) == rows("""
        0  app/car.rb      12  Acme.Car.open
        2  app/garage.rb   20  Acme.Garage.fill
        3  C:/app/main.rb  3   ""
    """)
    assert frames_of(RUBY_OLD) == rows("""
        0  app/car.rb     12  open
        1  app/garage.rb  20  fill
        2  app/main.rb    3   ""
    """)
    assert frames_of(RSPEC) == rows("""
        0  app/car.rb        12  Car.open?
        1  spec/car_spec.rb  5   ""
    """)


def test_php_whose_lines_name_what_was_called_there():
    assert frames_of(f"It fails\n```{PHP}```") == rows("""
        0  /app/src/Car.php         12  Acme.Car.open
        1  /app/src/Garage.php      20  Acme.Garage.fill
        2  /app/src/Garage.php      31  Acme.Garage
        3  C:/app/public/index.php  3   ""
    """)
    assert [row[:3] for row in frames_of(PHP)] == rows("""
        0  /app/src/Car.php         12
        1  /app/src/Garage.php      20
        2  /app/src/Garage.php      31
        3  C:/app/public/index.php  3
    """)
    assert frames_of("Warning: Undefined variable $x in /app/src/a.php on line 7")[0][1:3] == (
        "/app/src/a.php",
        "7",
    )


@pytest.mark.parametrize(
    ("read", "name", "plain"),
    [
        (script, "Object.<anonymous>", ""),
        (script, "Object.open", "open"),
        (script, "exports.open", "open"),
        (script, "Car.#open", "Car.open"),
        (script, "Car.<computed>", "Car"),
        (ruby, "rescue in block in Car#open!", "Car.open!"),
        (ruby, "<class:Car>", "Car"),
        (ruby, "<module:Acme::Parts>", "Acme.Parts"),
        (php, "Acme\\Car->Acme\\{closure}", "Acme.Car"),
        (php, "{closure:Acme\\Car::open():12}", "Acme.Car.open"),
        (php, "require_once", "require_once"),
        (php, "Acme\\Car::__construct", "Acme.Car.__construct"),
    ],
)
def test_names(read, name, plain):
    assert read(name) == plain


def test_place_in_a_served_file_is_no_link():
    assert frames_of("    at open (https://acme.example/assets/car.js:12:5)") == [
        ("0", "/assets/car.js", "12", "open")
    ]
    assert frames_of("See https://acme.example/car.js and https://acme.example/a.py:12") == []
