# SPDX-License-Identifier: GPL-3.0-or-later
"""Recipe for Spack 1.0 and later, to be put into a repository of your own:

spack repo create REPO; spack repo add REPO/spack_repo/REPO
mkdir .../packages/tan; cp packaging/spack/package.py .../packages/tan
spack dev-build tan@0.1.0      (in a checkout or an unpacked archive of tan)
"""

from spack_repo.builtin.build_systems.makefile import MakefilePackage

from spack.package import *


class Tan(MakefilePackage):
    """Measurement and design of tree aggregation networks: tanbench measures reduction trees of
    MPI processes and fits a machine's parameters, tan-design finds the fastest tree and the
    setting of the system that builds it, tan-sim simulates trees, collective operations and
    traced programs."""

    license("GPL-3.0-or-later")

    version("0.1.0")

    variant("simgrid", default=False, description="simulated clusters, tanbench --platform")

    depends_on("c", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi")
    depends_on("gsl")
    depends_on("hwloc")
    depends_on("igraph@0.10:")
    depends_on("jansson")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("simgrid+smpi", when="+simgrid")
    depends_on("gnuplot", type="run")
    depends_on("cmocka", type="test")

    def edit(self, spec, prefix):
        # For every call of make.
        env["MPICC"] = env["MPIS"] = spec["mpi"].mpicc
        env["SIMGRID"] = "simgrid" if spec.satisfies("+simgrid") else ""
        env["PREFIX"] = prefix

    install_targets = ["install", "install-sim"]

    def check(self):
        make("unit")
