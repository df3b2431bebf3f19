-- Whether anything is known of what nodes draw: only then energy is spoken of.
SELECT EXISTS (SELECT FROM node_power);
