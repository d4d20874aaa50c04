const LONGEST = 400

/** A provider's text as one line without secrets: the given ones, and everything that looks like a key. */
export function scrub(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
  let clean = text
  // The longest first, because one secret may be part of another.
  for (const form of [...new Set(forms)].toSorted((a, b) => b.length - a.length)) clean = clean.split(form).join('***')
  const line = clean.replace(LOOKS_LIKE_A_KEY, '***').replace(/\s+/g, ' ').trim()
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST).trimEnd()}…`
}

// Providers quote keys in their errors, some of them half masked: sk-proj-…, gsk_…, xai-…, AIza…, Bearer ….
const LOOKS_LIKE_A_KEY =
  /\b(?:sk|pk|rk|gsk|xai|fw|tgp|r8|hf)[-_][\w*.-]{8,}|\bAIza[\w*-]{10,}|\bBearer\s+[\w*.~+/=-]{8,}/g
