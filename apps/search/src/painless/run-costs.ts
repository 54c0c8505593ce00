/** Elements that a method goes through, and values that are printed or compared, for each step they count as. */
export const valuesAStep = 8
/** Letters that a method or a pattern goes through, for each step they count as. */
export const lettersAStep = 64
