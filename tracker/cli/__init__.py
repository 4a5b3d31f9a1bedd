"""The doors for people: `arbitrator NOUN VERB`. Words in, receipts and pages out; decides nothing."""
