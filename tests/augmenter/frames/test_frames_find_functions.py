"""From a traceback to the function in a repository, language by language, through the exact channel."""

import time

import pytest
from git_repository import GitRepository

from augmenter.channels.exact import exact
from augmenter.task import understand
from indexer.build import build_index
from knowledge.catalog.reader import CatalogReader
from knowledge.clock import Clock
from knowledge.project import locate
from knowledge.settings import Settings

FILES = {
    "src/app/car.py": """\
class Car:
    def open(self):
        return 1

    def close(self):
        return 2
""",
    "java/src/main/java/com/acme/Car.java": """\
package com.acme;

public class Car {
  int open() {
    return 1;
  }

  int close() {
    return 2;
  }
}
""",
    "web/src/car.ts": """\
export class Car {
  open(): number {
    return 1;
  }

  async close(): Promise<number> {
    return 2;
  }
}
""",
    "web/src/door.js": """\
export function open() {
  return 1;
}

export function close() {
  return 2;
}
""",
    "server/car.go": """\
package server

type Car struct{}

func (c *Car) Open() int {
	return 1
}

func (c *Car) Close() int {
	return 2
}
""",
    "engine/src/car.rs": """\
pub struct Car;

impl Car {
    pub fn open(&self) -> u8 {
        1
    }

    pub fn close(&self) -> u8 {
        2
    }
}
""",
    "net/Acme/Car.cs": """\
namespace Acme;

public class Car
{
    public int Open() => 1;

    public async Task<int> CloseAsync(string key)
    {
        return 2;
    }
}
""",
    "lib/acme/car.rb": """\
module Acme
  class Car
    def open
      1
    end

    def close!
      2
    end
  end
end
""",
    "php/src/Car.php": """\
<?php
namespace Acme;

class Car
{
    public function open() { return 1; }

    public function close()
    {
        return 2;
    }
}
""",
    "native/car.c": """\
int open_car(int key) {
  return 1;
}

int close_car(int key) {
  return 2;
}
""",
    "ios/Sources/Car.swift": """\
class Car {
    func open() -> Int { return 1 }

    func close() -> Int {
        return 2
    }
}
""",
}
CASES = {
    'File "/srv/lib/site-packages/app/car.py", line 6, in close': "src/app/car.py::Car.close",
    "src/app/car.py:6: KeyError": "src/app/car.py::Car.close",
    "\tat com.acme.Car.close(Car.java:9)": "java/src/main/java/com/acme/Car.java::Car.close",
    "    at async Car.close (webpack:///./web/src/car.ts?1f:7:5)": "web/src/car.ts::Car.close",
    "    at close (C:\\app\\web\\src\\door.js:6:3)": "web/src/door.js::close",
    "close@http://localhost:3000/src/door.js:6:3": "web/src/door.js::close",
    "acme/server.(*Car).Close(0xc00)\n\t/home/ada/acme/server/car.go:10 +0x1d": "server/car.go::Car.Close",
    "thread 'main' panicked at engine/src/car.rs:9:9:\nno": "engine/src/car.rs::Car.close",
    "  3: <engine::car::Car>::close\n             at ./src/car.rs:9": "engine/src/car.rs::Car.close",
    "   at Acme.Car.<CloseAsync>d__1.MoveNext() in C:\\x\\net\\Acme\\Car.cs:line 9": (
        "net/Acme/Car.cs::Car.CloseAsync"
    ),
    "lib/acme/car.rb:8:in 'Acme::Car#close!': no (RuntimeError)": "lib/acme/car.rb::Acme.Car.close!",
    "\tfrom /srv/lib/acme/car.rb:8:in `close!'": "lib/acme/car.rb::Acme.Car.close!",
    "PHP Fatal error:  Uncaught Exception: no in /srv/php/src/Car.php:10": "php/src/Car.php::Car.close",
    "#0 /srv/php/src/Car.php(10): Acme\\Door->shut()": "php/src/Car.php::Car.close",
    "#1  0x0000555 in close_car (key=1) at native/car.c:6": "native/car.c::close_car",
    "    #1 0x4f in close_car /srv/native/car.c:6:3": "native/car.c::close_car",
    "Acme/Sources/Car.swift:5: Fatal error: no": "ios/Sources/Car.swift::Car.close",
}


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    repository = GitRepository(tmp_path_factory.mktemp("languages") / "repo")
    for path, content in FILES.items():
        repository.write(path, content)
    repository.commit("All.")
    project = locate(repository.root)
    build_index(project, Settings(), Clock(now=lambda: time.time() + 10))
    with CatalogReader(project.catalog) as opened:
        yield opened


@pytest.mark.parametrize("fence", ["", "```\n"], ids=["bare", "fenced"])
@pytest.mark.parametrize(("line", "function"), CASES.items())
def test_line_of_a_traceback_finds_its_function(reader, line, function, fence):
    task = understand(f"It fails\n{fence}{line}\n{fence}", 1 << 20)
    hits, evidence = exact(task.mentions, reader)
    best = max(hits, key=lambda hit: (hit.strength, evidence[hit.rowid].id))
    assert evidence[best.rowid].id == f"symbol:{function}"
