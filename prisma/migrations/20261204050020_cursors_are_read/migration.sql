-- Whether a snapshot's block is years ahead is judged by the last block that was entered.
GRANT SELECT ON chain_cursors TO vitrine_app;
