"""What every layer needs: errors, compiled kernels, random streams, atomic files, caches, parallel work."""
