"""The command line: `arbitrator NOUN VERB`. Words in, receipts and pages out; decides nothing."""
