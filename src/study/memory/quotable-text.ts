import { oneLine } from '../../model/text.ts'

/**
 * A text of a tool or an agent for the memory: an error, a to-do. It stays only if it can be nothing but a description: a text
 * that asks for something, names an address or has a command in it might have been planted, and a memory is read by every later
 * session.
 */
export function harmlessText(text: string, characters: number): string | undefined {
  const line = oneLine(text.replaceAll('`', "'"), characters)
  return line === '' || ASKS.test(line) || COMMAND.test(line) ? undefined : line
}

/** The same for an error: one that proposes something is not only a description. */
export function harmlessError(text: string, characters: number): string | undefined {
  return REMEDY.test(text) ? undefined : harmlessText(text, characters)
}

const REMEDY =
  /\b(?:run|us(?:e|ing)|try|instead|recommend\w*|consider|fix(?:ed|es)? (?:by|with|this)|solution|workaround|set up|setup)\b/i

const ASKS =
  /\b(?:always|never|must|shall|should|you|your|please|remember|decision|decided|rule|policy|instruct\w*|ignore|disregard|override|from now on|henceforth|user (?:said|wants|asked|approved|prefers)|important|system|assistant|prompt|secret|token|password|credential\w*)\b|必须|总是|永远|必ず/i
const COMMAND =
  /:\/\/|\b(?:install\w*|download\w*|execut\w+|upload\w*|disabl\w+|bypass\w*|curl|wget|eval|sudo|base64|chmod|rm -|npx|pip install|npm (?:i|install)|--no-verify|--force|git push|git config)\b|\|\s*(?:ba|z)?sh\b|\$\(|&&/i

/** The names of errors in a text: classes and codes, which no sentence can hide in. */
export function errorNames(text: string): string | undefined {
  const names = text.match(/\b(?:[A-Z][A-Za-z]{2,40}(?:Error|Exception)|E[A-Z]{3,16}|TS\d{4,5}|E\d{4})\b/g) ?? []
  const [first] = names
  return first
}

/** True for a path that is only a path: a name with spaces or marks could be read as words, and so could one of many words. */
export function isPlainPath(path: string): boolean {
  const isSentence = path
    .split('/')
    .some((name) => name.split(/[-_.]/).length > 3 && ASKS.test(name.replace(/[-_.]/g, ' ')))
  return path.length <= 120 && !isSentence && /^[\p{L}\p{N}_.@+()[\]$-]+(?:\/[\p{L}\p{N}_.@+()[\]$-]+)*$/u.test(path)
}
