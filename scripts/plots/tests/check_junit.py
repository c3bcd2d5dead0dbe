"""Reads a JUnit file with three readers that are not ours, and compares what each counts with the file's sums."""

import sys
from xml.etree import ElementTree

import junitparser
import xunitparser
from junit2htmlreport import parser as junit2html


def main(path):
    root = ElementTree.parse(path).getroot()
    sums = [int(root.get(name)) for name in ["tests", "failures", "errors"]]
    read = junitparser.JUnitXml.fromfile(path)
    cases = [case for suite in read for case in suite]
    kinds = [result for case in cases for result in case.result]
    of_junitparser = [
        len(cases),
        sum(isinstance(kind, junitparser.Failure) for kind in kinds),
        sum(isinstance(kind, junitparser.Error) for kind in kinds),
    ]
    with open(path, encoding="utf-8") as file:
        suite, result = xunitparser.parse(file)
    of_xunitparser = [suite.countTestCases(), len(result.failures), len(result.errors)]
    page = junit2html.Junit(path)
    of_junit2html = [sum(len(one.all()) for one in page.suites), sum(len(one.failed()) for one in page.suites)]
    print(sums, of_junitparser, of_xunitparser, of_junit2html)
    is_read = of_junitparser == sums and of_xunitparser == sums and of_junit2html == [sums[0], sums[1] + sums[2]]
    return 0 if is_read and sums[0] > 0 and page.html() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
