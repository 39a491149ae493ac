"""Tracebacks of the JVM, of .NET, and of what is built with them."""

import pytest
from cases import rows
from frame_rows import frames_of

from augmenter.frame_names import jvm, net

JAVA = """\
Exception in thread "main" java.lang.IllegalStateException: closed
\tat com.acme.net.Stream.close(Stream.java:12)
\tat com.acme.net.Stream$Reader.lambda$run$0(Stream.java:20) ~[app.jar:1.0]
\tat com.acme.net.Stream.<init>(Stream.java:5)
\tat java.base/java.lang.Thread.run(Thread.java:834)
\tat app//com.acme.MainKt.main(Main.kt:3)
\tat com.acme.Native.call(Native Method)
Caused by: java.lang.Error
\tat com.acme.disk.Disk.read(Disk.java:7)
\t... 3 more
\tSuppressed: java.io.IOException
\t\tat com.acme.disk.Disk.close(Disk.java:9)
"""
KOTLIN = """\
kotlin.KotlinNullPointerException
\tat com.acme.Car$open$1.invokeSuspend(Car.kt:8)
\tat com.acme.Car.open$default(Car.kt:20)
\tat com.acme.Car$Companion.of(Car.kt:30)
\tat com.acme.CarTest.opens when it is told to(CarTest.kt:40)
"""
CONSOLE = """\
Exception java.lang.NullPointerException:
  at com.acme.Model$open$1.invokeSuspend (Model.kt:232)
  at kotlinx.coroutines.DispatchedTask.run (DispatchedTask.kt:106)
"""
SHORTENED = """\
java.lang.NullPointerException: no
    com.acme.CombineKt$combine$2$1.invokeSuspend(Combine.kt:43)
    kotlinx.coroutines.DispatchedTask.run(DispatchedTask.java:100)
"""
SCALA = """\
java.lang.RuntimeException: no
\tat acme.Car$.$anonfun$open$1(Car.scala:8)
\tat scala.collection.immutable.List.map(List.scala:246)
\tat acme.Car$$anonfun$close$2.apply(Car.scala:9)
"""
NET = r"""
Unhandled exception. System.InvalidOperationException: closed
 ---> System.IO.IOException: disk
   at Acme.Disk.Read(String path) in C:\app\src\Disk.cs:line 9
   --- End of inner exception stack trace ---
   at Acme.Car.<OpenAsync>d__5.MoveNext() in /src/Car.cs:line 12
--- End of stack trace from previous location ---
   at System.Threading.Tasks.Task.Wait()
   at Acme.Box`1.<>c__DisplayClass3_0.<Fill>b__0(T item) in /_/src/Box.cs:line 20
   at Acme.Program.<Main>$(String[] args) in /src/Program.cs:line 3
"""
MONO = """\
NullReferenceException: Object reference not set to an instance of an object
  at Acme.Car.Open (System.String key) [0x0001e] in /src/Car.cs:12
"""
UNITY = """\
NullReferenceException: no
Acme.Car:Open (string) (at Assets/Scripts/Car.cs:12)
Car.Update () (at Assets/Scripts/Car.cs:30)
"""


def test_java_with_the_folders_of_its_packages():
    assert frames_of(JAVA) == rows("""
        0  com/acme/net/Stream.java  12   com.acme.net.Stream.close
        0  com/acme/disk/Disk.java   7    com.acme.disk.Disk.read
        0  com/acme/disk/Disk.java   9    com.acme.disk.Disk.close
        1  com/acme/net/Stream.java  20   com.acme.net.Stream.Reader.run
        2  com/acme/net/Stream.java  5    com.acme.net.Stream
        3  java/lang/Thread.java     834  java.lang.Thread.run
        4  com/acme/Main.kt          3    com.acme.MainKt.main
    """)


def test_kotlin_and_scala():
    assert frames_of(KOTLIN) == rows("""
        0  com/acme/Car.kt      8   com.acme.Car.open
        1  com/acme/Car.kt      20  com.acme.Car.open
        2  com/acme/Car.kt      30  com.acme.Car.Companion.of
        3  com/acme/CarTest.kt  40  com.acme.CarTest.opens when it is told to
    """)
    assert frames_of(SCALA) == rows("""
        0  acme/Car.scala                         8    acme.Car.open
        1  scala/collection/immutable/List.scala  246  scala.collection.immutable.List.map
        2  acme/Car.scala                         9    acme.Car.close
    """)


def test_crash_reports_of_android():
    assert frames_of(CONSOLE) == rows("""
        0  com/acme/Model.kt                     232  com.acme.Model.open
        1  kotlinx/coroutines/DispatchedTask.kt  106  kotlinx.coroutines.DispatchedTask.run
    """)
    assert frames_of(SHORTENED) == rows("""
        0  com/acme/Combine.kt                     43   com.acme.CombineKt.combine
        1  kotlinx/coroutines/DispatchedTask.java  100  kotlinx.coroutines.DispatchedTask.run
    """)


def test_net():
    assert frames_of(NET) == rows("""
        0  C:/app/src/Disk.cs  9   Acme.Disk.Read
        0  /src/Car.cs         12  Acme.Car.OpenAsync
        1  /_/src/Box.cs       20  Acme.Box.Fill
        2  /src/Program.cs     3   Acme.Program.Main
    """)


def test_mono_and_unity():
    assert frames_of(MONO) == [("0", "/src/Car.cs", "12", "Acme.Car.Open")]
    assert frames_of(UNITY) == rows("""
        0  Assets/Scripts/Car.cs  12  Acme.Car.Open
        1  Assets/Scripts/Car.cs  30  Car.Update
    """)


@pytest.mark.parametrize(
    ("name", "plain"),
    rows("""
        acme.Car.lambda$open$0                  acme.Car.open
        acme.Car.lambda$new$1                   acme.Car
        acme.Car.<clinit>                       acme.Car
        acme.Car$1.run                          acme.Car.run
        acme.Car$open$1.invoke                  acme.Car.open
        acme.Fun.invoke                         acme.Fun.invoke
        acme.Car.access$open                    acme.Car.open
        acme.Car.open-impl                      acme.Car.open
        acme.Car.open$lambda$0                  acme.Car.open
        acme.Car$.open                          acme.Car.open
        Car.open                                Car.open
    """),
)
def test_names_of_the_jvm(name, plain):
    assert jvm(name) == plain


@pytest.mark.parametrize(
    ("name", "plain"),
    rows("""
        Acme.Car..ctor                          Acme.Car
        Acme.Car.get_Doors                      Acme.Car.Doors
        Acme.Outer+Inner.Open                   Acme.Outer.Inner.Open
        Acme.Box`1.Fill[T]                      Acme.Box.Fill
        Acme.Box'1.Fill                         Acme.Box.Fill
        Acme.Box`1[T].Fill                      Acme.Box.Fill
        Acme.Car.<>c.<Open>b__0_0               Acme.Car.Open
        Acme.Car.<Open>g__Local|0_0             Acme.Car.Open
        Acme.Car.<<Open>b__0>d.MoveNext         Acme.Car.Open
    """),
)
def test_names_of_net(name, plain):
    assert net(name) == plain
