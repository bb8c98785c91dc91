import { test } from 'node:test';
import assert from 'node:assert/strict';
import { amount, duration, moment, nines, tick } from './format.js';

test('amounts agree with those of the tables', () => {
  assert.equal(amount(58912, '1/s'), '58.9k /s');
  assert.equal(amount(999.6, '1/s'), '1.00k /s');
  assert.equal(amount(1.234e9, 'B/s'), '1.23 GB/s');
  assert.equal(amount(44, '°C'), '44.0 °C');
  assert.equal(amount(0.964, 'share'), '96 %');
  assert.equal(duration(412e-6), '412 µs');
  assert.equal(duration(0), '0 s');
});

test('ticks carry no superfluous zeros', () => {
  assert.equal(tick(60000, '1/s'), '60k /s');
  assert.equal(tick(1.5e9, 'B/s'), '1.5 GB/s');
  assert.equal(tick(1e-3, 's'), '1 ms');
  assert.equal(tick(100e-6, 's'), '100 µs');
  assert.equal(tick(0, 'B/s'), '0 B/s');
  assert.equal(tick(40, '°C'), '40 °C');
});

test('moments of a run', () => {
  assert.equal(moment(7.2), '0:07');
  assert.equal(moment(750), '12:30');
  assert.equal(moment(3723), '1:02:03');
});

test('the axis of nines', () => {
  assert.ok(Math.abs(nines(99.9, 1) - 3) < 1e-9);
  assert.ok(Math.abs(nines(50, 1) - 0.30103) < 1e-5);
  assert.equal(nines(100, 1e5), 5);
  assert.equal(nines(100, 10, 3.3), 3.3);
});
