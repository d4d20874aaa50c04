/** A made-up project in one language. `NAME`, `Name`, `OTHER`, `NUMBER` and `WORD` are filled in. */
export type Language = {
  readonly name: string
  /** A path of a module and of its test. */
  readonly path: string
  readonly testPath: string
  /** The name of a function: `camel` or `snake`. */
  readonly names: 'camel' | 'snake'
  readonly head: string
  readonly body: readonly string[]
  readonly end: string
  /** The command that checks one module, and the one for all. */
  readonly test: string
  readonly testAll: string
  readonly lint: string
  readonly passed: string
  readonly failed: string
  readonly error: string
}

export const LANGUAGES: readonly Language[] = [
  {
    name: 'typescript',
    path: 'src/AREA/MODULE.ts',
    testPath: 'test/AREA/MODULE.test.ts',
    names: 'camel',
    head: 'export function NAME(input: WORDInput, limit = NUMBER): WORDResult {',
    body: [
      "  if (input.WORD === undefined) throw new Error('WORD is missing in NAME')",
      '  const WORDs = input.items.filter((item) => item.WORD > NUMBER)',
      '  for (const item of WORDs) total += OTHER(item, NUMBER)',
      '  const known = cache.get(input.WORD) ?? OTHER(input, limit)',
      '  // The WORD is counted before it is merged: see case NUMBER.',
    ],
    end: '  return { WORD: total, items: known }\n}\n',
    test: 'npx vitest run TEST',
    testAll: 'npm test',
    lint: 'npx tsc --noEmit',
    passed: ' ✓ TEST > NAME WORDs NUMBER items (NUMBER ms)',
    failed: ' × TEST > NAME WORDs NUMBER items',
    error: 'AssertionError: expected NUMBER to be NUMBER in NAME',
  },
  {
    name: 'python',
    path: 'app/AREA/MODULE.py',
    testPath: 'tests/AREA/test_MODULE.py',
    names: 'snake',
    head: 'def NAME(payload: dict, limit: int = NUMBER) -> dict:',
    body: [
      '    if "WORD" not in payload:',
      '        raise ValueError("WORD is missing in NAME")',
      '    WORDs = [item for item in payload["items"] if item["WORD"] > NUMBER]',
      '    total = sum(OTHER(item, NUMBER) for item in WORDs)',
      '    # The WORD is counted before it is merged: see case NUMBER.',
    ],
    end: '    return {"WORD": total, "items": WORDs}\n',
    test: 'pytest TEST -q',
    testAll: 'pytest -q',
    lint: 'python -m pytest --collect-only -q',
    passed: 'TEST::test_NAME_NUMBER PASSED',
    failed: 'TEST::test_NAME_NUMBER FAILED',
    error: 'E   AssertionError: assert NUMBER == NUMBER in NAME',
  },
  {
    name: 'go',
    path: 'internal/AREA/MODULE.go',
    testPath: 'internal/AREA/MODULE_test.go',
    names: 'camel',
    head: 'func NAME(in WORDInput, limit int) (WORDResult, error) {',
    body: [
      '\tif in.WORD == nil {',
      '\t\treturn WORDResult{}, fmt.Errorf("WORD is missing in NAME")',
      '\t}',
      '\tfor _, item := range in.Items {',
      '\t\ttotal += OTHER(item, NUMBER)',
      '\t}',
      '\t// The WORD is counted before it is merged: see case NUMBER.',
    ],
    end: '\treturn WORDResult{Total: total}, nil\n}\n',
    test: 'go test ./internal/AREA/...',
    testAll: 'go test ./...',
    lint: 'go vet ./...',
    passed: '--- PASS: TestNAME/WORD_NUMBER (0.NUMBERs)',
    failed: '--- FAIL: TestNAME/WORD_NUMBER (0.NUMBERs)',
    error: '    MODULE_test.go:NUMBER: NAME: got NUMBER, error: want NUMBER',
  },
  {
    name: 'rust',
    path: 'crates/AREA/src/MODULE.rs',
    testPath: 'crates/AREA/tests/MODULE.rs',
    names: 'snake',
    head: 'pub fn NAME(input: &Input, limit: usize) -> Result<Output, Error> {',
    body: [
      '    let WORD = input.WORD.ok_or(Error::Missing("WORD in NAME"))?;',
      '    let total: u64 = input.items.iter().map(|item| OTHER(item, NUMBER)).sum();',
      '    if total > NUMBER { return Err(Error::TooLarge(total)); }',
      '    // The WORD is counted before it is merged: see case NUMBER.',
    ],
    end: '    Ok(Output { WORD, total })\n}\n',
    test: 'cargo test -p AREA MODULE',
    testAll: 'cargo test --workspace',
    lint: 'cargo clippy --workspace',
    passed: 'test MODULE::NAME_WORD_NUMBER ... ok',
    failed: 'test MODULE::NAME_WORD_NUMBER ... FAILED',
    error: "thread 'MODULE::NAME' panicked: assertion failed: left NUMBER, right NUMBER",
  },
  {
    name: 'java',
    path: 'src/main/java/com/example/AREA/MODULE.java',
    testPath: 'src/test/java/com/example/AREA/MODULETest.java',
    names: 'camel',
    head: '  public WORDResult NAME(WORDInput input, int limit) {',
    body: [
      '    Objects.requireNonNull(input.WORD(), "WORD is missing in NAME");',
      '    var WORDs = input.items().stream().filter(item -> item.WORD() > NUMBER).toList();',
      '    for (var item : WORDs) total += OTHER(item, NUMBER);',
      '    // The WORD is counted before it is merged: see case NUMBER.',
    ],
    end: '    return new WORDResult(total, WORDs);\n  }\n',
    test: './mvnw -q test -Dtest=MODULETest',
    testAll: './mvnw -q verify',
    lint: './mvnw -q compile',
    passed: '[INFO] MODULETest.NAME_NUMBER ok, Time elapsed: 0.NUMBER s',
    failed: '[ERROR] MODULETest.NAME_NUMBER Time elapsed: 0.NUMBER s <<< FAILURE!',
    error: 'java.lang.AssertionError: NAME expected:<NUMBER> but was:<NUMBER>',
  },
]
