"""Checks which packages for analytics are installed. Playing needs none, so a missing one is no fault."""

from __future__ import annotations

from importlib import metadata
from typing import Final

from tracker.analytics import spark
from tracker.service.diagnostics import CheckResult

PACKAGES: Final = {"duckdb": "analytics", "pyarrow": "analytics", "pyspark": "spark"}
"""The packages, each with the extra that installs it."""


def analytics_findings() -> list[CheckResult]:
    """The packages and Java, each with its version or with the command that installs it."""
    versions = []
    for package, extra in PACKAGES.items():
        try:
            versions.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            versions.append(f"no {package} (pip install 'campaign-tracker[{extra}]')")
    java = spark.java()
    missing = f"no Java (Spark runs on {spark.JAVA_MINIMUM} or newer; on Debian: default-jre-headless)"
    versions.append(missing if java is None else f"Java {java}")
    return [CheckResult(what="all campaigns", verdict="ok", found=", ".join(versions))]
