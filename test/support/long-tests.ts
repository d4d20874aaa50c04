/**
 * Files that `npm test` leaves out, because it has to end within three minutes on two cores: most wait for browsers, databases, killed
 * processes or whole runs of the program, and a quicker file covers the same behaviour. `npm run test:all` runs them too, `npm run test:full` in their long form.
 */
export const LONG_TESTS: readonly string[] = [
  'adapters/ai-sdk/{refusals.property,state}',
  'agent/compaction/{hooks,prepared-compaction}',
  'agent/loop/{doubted-report,patience}',
  'agent/permissions/{literal-line.property,never-commands}',
  'agent/sandbox/never-rules',
  'cli/commands/eval/eval-runs',
  'cli/node-version',
  'docs/http-page',
  'examples/*',
  'gateway/modes/rewrite/prepared-rewrites',
  'package/{browser,docs,release}',
  'programs/agent/{caching,ends-with-pith,rewind-after-crash,sixty-steps,two-processes}',
  'programs/cli/{mcp,read-only,run-ci}',
  'programs/llm/faults',
  'programs/server/{agent-sessions,failing-database,one-search,processes}',
  'programs/session/race',
  'programs/tui/{compaction,whole-day}',
  'programs/web/{agents,change,docs,gateway,leave-out,look,memory,redact,tokens}',
  'programs/wrap/wrap-terminal',
  'store/postgres/{open-postgres,search-index}',
  'support-tests/model-server',
].map((file) => `test/${file}.test.ts`)
