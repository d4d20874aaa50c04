import { commandKeys, LOOKING_PROGRAMS } from '../calls/command-keys.ts'
import { checkKind } from './check-kind.ts'

/** The kind of a command that is typical for work on a project: a check of the ledger, run, install and the like. */
export function commandKind(command: string): string | undefined {
  return checkKind(command) ?? otherKind(command)
}

/** The same for commands that are not checks. */
export function otherKind(command: string): string | undefined {
  const text = command.slice(0, 600).replace(/(["'])[\s\S]{60,}/, '')
  if (!ANY_KIND.test(text)) return undefined
  for (const [kind, pattern] of KINDS) if (pattern.test(text)) return kind
  return undefined
}

/** The purpose of any other command, as a key that commands for the same purpose share; undefined if it only reads something. */
export function purposeOf(command: string): string | undefined {
  const text = withoutRemarks(command).replace(/^\s*(?:cd\s+\S+\s*(?:&&|;)\s*)+/, '')
  if (/\s--(?:help|version)\b/.test(text)) return undefined
  // A command that always succeeds proves nothing by it.
  if (/\|\|\s*(?:echo|true|:)(?:\s|$)/.test(text) && !/[^&]&\s*\n/.test(text)) return undefined
  const first = /^[^|;\n]*/.exec(text)?.[0] ?? ''
  if (onlyLooks(first)) return undefined
  const key = commandKeys(first)[0]?.[0]
  return key === undefined || LOOKING.test(key) ? undefined : key
}

/** True for one plain command that only reads something. Most do, and need not be parsed. */
function onlyLooks(command: string): boolean {
  const name = /^\s*([\w.-]+)(?:\s[^&()]*)?$/.exec(command)?.[1]
  if (name === 'git') return !/merge|rebase|cherry-pick|bisect/.test(command)
  return name !== undefined && LOOKING_PROGRAMS.has(name)
}

/** A command without the comments before it. */
export function withoutRemarks(command: string): string {
  return command.replace(/^(?:\s*#[^\n]*\n)+/, '')
}

/** Programs that show a state, and the git commands that the ledger covers. Code on the command line is used only once. */
const LOOKING =
  /^run (?:git (?!merge|rebase|cherry-pick|bisect)|(?:ps|pgrep|lsof|kill|pkill|killall|env|whoami|uname|chmod|history|mdfind|type|open|wait|read|for|if|while)(?: |$)|(?:python|node|ruby|perl|php|bash|sh|zsh) (?:.*[\s;(){}]|$)|\w+=|\S* ?…)/

/** At the start of a command or after `&&`, `;`, `|`, `(` and assignments of variables. */
const START = String.raw`(?:^|&&|\|\||;|\n|\()\s*(?:[A-Z_]+=\S*\s+)*(?:sudo\s+|time\s+|timeout\s+\S+\s+)?`
const RUNNER = String.raw`(?:(?:npm|pnpm|yarn|bun)(?:\s+-\S+)*\s+(?:run\s+|exec\s+)?(?:-\S+\s+\S+\s+)?|npx\s+|bunx\s+|uv\s+run\s+|poetry\s+run\s+|bundle\s+exec\s+|mise\s+run\s+|make\s+|just\s+|task\s+|cargo\s+|go\s+|deno\s+(?:task\s+)?|dotnet\s+|mix\s+|gradle\s+|\./gradlew\s+|mvn\s+|python3?\s+(?:-m\s+)?|node\s+\S*\s*)?`

const WORDS: readonly (readonly [kind: string, words: string])[] = [
  [
    'run',
    String.raw`(?:dev\b|start\b|serve\b|run dev\b|docker compose up\b|docker-compose up\b|uvicorn\b|flask run\b|manage\.py runserver)`,
  ],
  ['install', String.raw`(?:install\b|ci\b|add\s|sync\b|mod tidy\b|pip3? install\b)`],
  ['migrate', String.raw`(?:migrate\b|migration\w*\b|prisma\b|alembic\b|manage\.py migrate)`],
  ['deploy', String.raw`(?:deploy\b|publish\b|wrangler\b|kubectl apply\b|terraform apply\b|gh workflow run\b)`],
  ['pull request', String.raw`(?:gh|glab)\s+(?:pr|mr)\s+(?:create|view|edit|checks)\b`],
  ['push', String.raw`git\s+push\b`],
  ['branch', String.raw`git\s+(?:checkout\s+-b|switch\s+-c|worktree\s+add)\b`],
]

function anywhere(words: string): RegExp {
  return new RegExp(START + RUNNER + words)
}

const KINDS = WORDS.map(([kind, words]) => [kind, anywhere(words)] as const)
/** Most commands match none of them. */
const ANY_KIND = anywhere(`(?:${WORDS.map(([, words]) => words).join('|')})`)
