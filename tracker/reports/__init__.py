"""Reports: what people read. Rows and recorded events in, text out; knows no database and no terminal."""
