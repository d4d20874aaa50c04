/** True for what stands for a name without being one: `foo`, `path/to/file`, `example.com`, `<name>`, `your-key`. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDERS.some((shape) => shape.test(text))
}

/** True for names of products and notions that a writer knows without a source: they are not looked up. */
export function isCommon(word: string): boolean {
  const lower = word.toLowerCase()
  return COMMON.has(lower) || COMMON.has(lower.replace(/s$/, ''))
}

const PLACEHOLDERS: readonly RegExp[] = [
  /^(?:foo|bar|baz|qux|quux|foobar|xxx+|yyy+|zzz+|todo|tbd|n\/a|and\/or|i\/o)$/i,
  /^(?:foo|bar|baz|qux|example|sample)(?:[._-]?\d+)?\.\w+$/i,
  /(?:^|\/)path\/to(?:\/|$)/i,
  /(?:^|[/.@])example\.(?:com|org|net|invalid|test)\b/i,
  /^[<[{][^/\\]*[>\]}]$/,
  /^(?:your|my)[-_][\w-]+$/i,
  /^\W*$/,
]

const COMMON: ReadonlySet<string> = new Set(
  `github gitlab bitbucket stackoverflow dockerhub circleci youtube linkedin openai chatgpt deepseek
  javascript typescript coffeescript webassembly latex powershell nodejs node.js reactjs react.js vuejs vue.js next.js
  nuxt.js nestjs express.js three.js d3.js asp.net fastapi numpy scipy pytorch tensorflow
  postgresql mysql sqlite mongodb dynamodb graphql opensearch openssl openssh openapi websocket webgl webrtc
  macos ios ipados freebsd vscode intellij jetbrains webstorm oauth oauth2 saas paas devops mlops jsdoc javadoc
  utf-8 utf-16 sha-1 sha-256 sha-512 aes-128 aes-256 iso-8601 gpt-4 gpt-5
  camelcase pascalcase snake_case kebab_case constant_case screaming_snake_case`.split(/\s+/),
)
