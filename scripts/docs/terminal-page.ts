import { KEYS } from '../../src/tui/commands/help.ts'
import { COMMANDS } from '../../src/tui/commands/index.ts'
import { code, GENERATED, page, table } from './markdown.ts'

/** docs/terminal.md: the commands and keys as `/help` lists them. */
export function terminalPage(): string {
  const commands = COMMANDS.map(({ name, takes, about }) => [
    code(`/${name}${takes === undefined ? '' : ` ${takes}`}`),
    about.replaceAll('<', '&lt;'),
  ])
  return page(
    GENERATED,
    '# The terminal agent',
    INTRODUCTION,
    `## Commands\n\n${table(['command', 'what it does'], commands)}`,
    `## Keys\n\n${table(
      ['key', 'what it does'],
      KEYS.map(([key, about]) => [key.replaceAll('\\', '\\\\'), about]),
    )}`,
    FILES,
    PERMISSIONS,
  )
}

const INTRODUCTION = `\`pith\` in a folder starts a session there; \`pith --continue\` goes on with the last one, \`pith --session ID\` with any. Without a model it offers a bundled session to
try things on.

\`\`\`
› What is left before 2.4.0?
● bash npm test · 27 lines, 1.0 kB
  Tests  35 passed
  …
────────────────────────────────────────────────────────────────────────────────────────────────────
/compact
────────────────────────────────────────────────────────────────────────────────────────────────────
example/offline · Example · ask  ███████░░░ 74.26% 15.2k of 20.5k · type /compact to free up context

  Context compacted.
  ✓ Compacted 98 messages
    Tokens: 15209 → 6405 (saved 8804)
\`\`\`

The bar is how full the context is: what the provider last reported, and an estimate of what came after. It compacts by itself before the window is full, and says so;
\`/policy mode ask\` asks you first, \`/policy mode off\` never does it. Esc cancels a compaction and leaves everything as it was, \`/undo\` takes it back later. What
you type meanwhile stays in the input.`

const FILES = `## Files it reads

\`AGENTS.md\` (instructions; where there is none, \`CLAUDE.md\`) and \`MEMORY.md\` (facts), yours from the configuration folder first, then those of the workspace. They go
into every request from the file, so no compaction can lose them; a change counts from the next request on. \`--no-instructions\` leaves \`AGENTS.md\` out.

Files of the workspace that are read without being asked for (these, \`.pith/config.yaml\`, \`.gitignore\`) must be regular files of at most 1 MB that are inside the
workspace after all links are resolved, and no *never* rule may forbid them. A file that is not is left alone, and one line says so. Your own files in the configuration
folder may be links to anywhere.`

const PERMISSIONS = `## What tools may do

| mode | without asking |
|---|---|
| \`ask\` (default) | read and search in the workspace |
| \`auto-edit\` | edit files there too |
| \`full\` | run commands too |

A question shows all of what it asks: the whole command, the whole diff, invisible characters by their code. Where that is more than the screen holds, Ctrl+O, Space
or Page Down turn the page, and you can allow it only after you have seen the end.

At a question you can also answer *always* or *never*: the rule that is shown (\`command: npm test\`) then holds for the workspace, and a never wins. Rules are kept in
\`permissions.json\` in the data folder, where you can change them: \`command: git push *\` (\`*\` stands for any words), \`read: .env\`, \`edit: db/**\`. What may not be read may not be edited either.

A never rule looks at all that a command line runs: every branch, function, substitution and here-document, what \`sh -c\`, \`eval\`, \`xargs\`, \`find -exec\`, \`env\`,
aliases and variables set in the same line lead to, options before the command (\`git -C . push\`), and paths from every folder (\`cd src && cat ../.env\`, \`.en*\`, \`-d @.env\`).
If the text does not say what is run or read (\`git $X\`, \`curl … | sh\`, code that names the file), you are asked; in mode \`full\` the command is refused, with the rule
and the word that made it doubtful. A glob, a variable or a folder is no doubt while there is no such file.

A rule is the first wall, not the last. It does not see what a program does once it runs: a script or a Makefile that pushes, a test that loads \`.env\`, code that puts
names together while it runs, a link to the file that was there before, or another command with the same effect. It is no sandbox.`
