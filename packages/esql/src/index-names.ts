const forbidden = /[ "/<>?\\|]/u
const dateMath = /^-?<[^>]*>/u

/** The names and patterns of a list of indices (`a,b*,-c`); throws with `fault` for what can be none. The selector of documents (`::data`) is what a name means without one. */
export function indexNames(text: string, fault: (reason: string) => Error): readonly string[] {
  const wrong = (reason: string) => fault(`Invalid index name [${text}], ${reason}`)
  return text.split(/,(?![^<]*>)/u).map((each) => {
    const name = each.trim()
    if (name === '' || name === '-') throw wrong('Blank index specified in index pattern')
    if (dateMath.test(name)) return name
    const [plain = '', selector] = name.split('::')
    if (selector !== undefined && selector !== 'data' && selector !== 'failures')
      throw wrong(`invalid usage of :: separator, [${selector}] is not a recognized selector`)
    const bare = plain.replace(/^-/u, '')
    if (forbidden.test(bare))
      throw wrong(`must not contain the following characters [' ','"',',','/','<','>','?','\\','|']`)
    if (bare.includes('#')) throw wrong("must not contain '#'")
    if (/^[_+-]/u.test(bare)) throw wrong("must not start with '_', '-', or '+'")
    if (bare === '.' || bare === '..') throw wrong("must not be '.' or '..'")
    return selector === 'data' ? plain : name
  })
}
