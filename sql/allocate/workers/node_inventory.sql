COPY (SELECT DISTINCT -1, cluster, node, resource_id FROM node_inventory) TO STDOUT;
