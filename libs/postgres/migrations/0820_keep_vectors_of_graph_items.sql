-- Up Migration

-- Embeddings that clients of the graph store made of an item's texts, in 8 bits a number. Their sizes are the clients' choice.
alter table graph_items add column vectors bytea[];
