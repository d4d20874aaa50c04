import { baseName } from '../calls/paths.ts'

/**
 * Whether a file has instructions, by its name. `convention`: agents or people are expected to follow it, so a record quotes
 * its text again. `named`: its name says that it has rules; a record lists it.
 */
export type InstructionKind = 'convention' | 'named'

/** The kind of a file by its path; undefined for a file without instructions, or with those of a dependency. */
export function instructionKind(path: string): InstructionKind | undefined {
  const name = baseName(path)
  if (!TEXT.test(name) || path.length > LONGEST_PATH || DEPENDENCY.test(path)) return undefined
  if (CONVENTIONS.test(name) || RULES_FOLDER.test(path)) return 'convention'
  return RULES.test(name) ? 'named' : undefined
}

const LONGEST_PATH = 1_024
/** A text for people, or a name without an extension. */
const TEXT = /^(?:[^.]{1,80}|\.?[\w-]{1,80}|.{1,120}\.(?:md|mdc|mdx|markdown|txt|rst|adoc))$/i
const DEPENDENCY = /(?:^|\/)(?:node_modules|site-packages|vendor|\.git|\.venv)\//

const AGENT_FILES = [
  'AGENTS?(?:\\.override)?', // the open convention; Codex
  'CLAUDE(?:\\.local)?', // Claude Code
  'GEMINI', // Gemini CLI
  'QWEN', // qwen-code
  'SKILL', // a skill, in any agent
  'CONVENTIONS', // aider
]
/** Files for everybody who works on the project. */
const PROJECT_FILES = ['CONTRIBUTING', 'Contributing', 'contributing', 'POLICY']
const RULES_FILES = ['cursorrules', 'windsurfrules', 'clinerules', 'roorules', 'goosehints']
/** In these letters: `docs/agents.md` is a page about agents. */
const CONVENTIONS = new RegExp(
  `^(?:(?:${AGENT_FILES.join('|')}|copilot-instructions)\\.md|(?:${PROJECT_FILES.join('|')})(?:\\.\\w{2,8})?|\\.(?:${RULES_FILES.join('|')}))$`,
)
/** `.cursor/rules/x.mdc`, `.claude/rules/x.md`, `.github/instructions/x.instructions.md`, `.kiro/steering/x.md`, … */
const RULES_FOLDER = /(?:^|\/)\.(?:[\w-]+\/(?:rules|instructions|steering)|clinerules)\/.+\.(?:md|mdc)$/i

const RULE_WORDS = [
  'polic(?:y|ies)',
  'rules?',
  'guidelines?',
  'conventions?',
  'standards?',
  'style(?:[-_ ]?guide)?',
  'instructions?',
  'security',
  'governance',
  'hacking',
  'developing',
  'development',
  'code[-_]of[-_]conduct',
]
const RULES = new RegExp(`^(?:.*[-_. ])?(?:${RULE_WORDS.join('|')})(?:[-_. ].*)?$`, 'i')
