package com.carrotsearch.randomizedtesting;

import java.util.Random;

/** In place of the test framework's class of that name, which wants a test around it: chance without one. */
public final class RandomizedContext {
  private static final RandomizedContext ONLY = new RandomizedContext();

  public static RandomizedContext current() {
    return ONLY;
  }

  public Random getRandom() {
    return new Random();
  }
}
