def test_x(season):
    from cli_reports import SEASON
    for r in SEASON[2:]:
        print(season.record(r).out)
    print(season.done("audit","verify").out)
    print(season.done("boards","verify").out)
    print(season.done("log","show").out)
