-- Run in database postgres of a private cluster.
CREATE DATABASE kstar;
