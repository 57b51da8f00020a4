/**
 * The most device pixels a picture can have on either side; the program cuts what is asked for
 * beyond. A test of the program holds both to the same number.
 */
export const MOST_PX = 32_768;
