-- Whether the power of any node is declared: only then energy is printed.
SELECT EXISTS (SELECT FROM node_power);
