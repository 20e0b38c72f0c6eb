/* limit.c - hand-written random playouts: a proxy for the physical limit.
 *
 * Compile:  gcc -O3 -march=native -std=gnu11 -o limit limit.c
 * Run:      ./limit [-s SECONDS] [-r RUNS] [-x SEED] [GAME ...]
 *           (default: all games, 2 s a run, median of 3 runs)
 *           pin it to one core with:  taskset -c 1 ./limit
 * Games:    tic_tac_toe connect_four hex11 breakthrough reversi gomoku15
 *           consta11 amazons
 *
 * Rates are for this thread's CPU time, so that other work on the machine counts
 * less.
 *
 * Rules of the exercise: every move is drawn uniformly from the legal moves,
 * one move at a time, the end condition is tested after every move, and the
 * playout stops at the first win.  Filling the board first and looking for the
 * winner afterwards is NOT done.  One thread.  Needs BMI2 (pdep) and, for a
 * fast Reversi, AVX2 (gcc splits the vectors itself where there is none).
 *
 * Rules played:
 *   tic_tac_toe   3x3, three in a row, full board is a draw.
 *   connect_four  7 columns x 6 rows, four or more in a row, full is a draw.
 *   hex11         11x11, no swap.  P1 joins top and bottom, P2 left and right.
 *   breakthrough  8x8, two rows each; straight on to an empty cell, diagonally
 *                 forward to an empty cell or on to an enemy; wins by reaching
 *                 the last row or by taking every enemy piece.
 *   reversi       8x8, the usual start; a forced pass counts as a move; ends
 *                 when neither side can place; most discs wins.
 *   gomoku15      15x15, five OR MORE in a row wins (compile with -DEXACT5 for
 *                 exactly five), full board is a draw.
 *   consta11      11x11, see docs/games/consta.md.  P1 joins bottom and top, P2
 *                 left and right.  A turn is one decision.
 *   amazons       10x10, four queens each.  A turn (queen, goal, arrow) is one
 *                 decision, uniform over all such triples; who cannot move loses.
 */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef uint64_t u64;
typedef unsigned __int128 u128;

/* ---- random numbers: one 64-bit multiply-fold a call ---------------------- */
static u64 rng_state;
static inline u64 rng(void)
{
    rng_state += 0x9E3779B97F4A7C15ull;
    u128 p = (u128)rng_state * (rng_state ^ 0xD1B54A32D192ED03ull);
    return (u64)(p >> 64) ^ (u64)p;
}
/* Uniform in [0, n): the top half of x*n.  *x becomes the remaining fraction,
 * so several small draws can be peeled from a single 64-bit number. */
static inline uint32_t peel(u64 *x, uint32_t n)
{
    u128 p = (u128)*x * n;
    *x = (u64)p;
    return (uint32_t)(p >> 64);
}
static inline uint32_t below(uint32_t n)
{
    return (uint32_t)(((rng() >> 32) * n) >> 32);
}
static inline u64 kth_bit(u64 mask, uint32_t k) { return _pdep_u64(1ull << k, mask); }

/* A playout returns (moves << 2) | result; result 0 = P1, 1 = P2, 2 = draw. */
#define RET(moves, res) return ((uint32_t)(moves) << 2) | (uint32_t)(res)

/* ---- Tic-Tac-Toe ---------------------------------------------------------- */
static u64 ttt_win[8];
static void ttt_init(void)
{
    static const uint16_t line[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
    for (int m = 0; m < 512; m++)
        for (int i = 0; i < 8; i++)
            if ((m & line[i]) == line[i])
                ttt_win[m >> 6] |= 1ull << (m & 63);
}
static inline int ttt_won(u64 m) { return (int)(ttt_win[m >> 6] >> (m & 63)) & 1; }
static uint32_t ttt_play(void)
{
    u64 x = rng(), empty = 0x1FF, me = 0, you = 0;
    for (uint32_t n = 9; n; n--) {
        u64 b = kth_bit(empty, peel(&x, n));
        empty ^= b;
        me |= b;
        if (ttt_won(me))
            RET(10 - n, n & 1 ? 0 : 1);
        u64 t = me; me = you; you = t;
    }
    RET(9, 2);
}

/* ---- Connect Four: 7 bits a column, bit 6 of each column stays empty ------- */
static inline u64 four(u64 b)
{
    u64 v = b & (b >> 1), h = b & (b >> 7), d = b & (b >> 6), e = b & (b >> 8);
    return (v & (v >> 2)) | (h & (h >> 14)) | (d & (d >> 12)) | (e & (e >> 16));
}
static uint32_t c4_play(void)
{
    const u64 bottom = 0x0000040810204081ull;      /* bit 0 of the 7 columns  */
    const u64 cells = bottom * 0x3F;               /* six rows                */
    u64 occ = 0, me = 0, x = 0;
    for (int t = 0; t < 42; t++) {
        u64 can = (occ + bottom) & cells;          /* lowest free cell a column */
        if (!(t & 7)) x = rng();
        u64 b = kth_bit(can, peel(&x, (uint32_t)__builtin_popcountll(can)));
        me |= b;
        occ |= b;
        if (four(me))
            RET(t + 1, t & 1);
        me ^= occ;
    }
    RET(42, 2);
}

/* ---- Hex 11x11 -------------------------------------------------------------
 * Cell r*11+c of a 128-bit board.  For each side: own = its stones, reach = the
 * stones joined to its first edge, rim = the cells where a stone would join
 * reach.  A stone outside the rim changes nothing; a stone on it is flooded
 * through the side's own stones.  Won when reach has a cell of the last edge. */
#define HN 11
static uint8_t hex_cells[HN * HN + 7];
static u128 hex_first[2], hex_last[2];             /* P1 top/bottom, P2 left/right */
static void hex_init(void)
{
    for (int k = 0; k < HN * HN; k++) {
        hex_cells[k] = (uint8_t)k;
        if (k / HN == 0) hex_first[0] |= (u128)1 << k;
        if (k / HN == HN - 1) hex_last[0] |= (u128)1 << k;
        if (k % HN == 0) hex_first[1] |= (u128)1 << k;
        if (k % HN == HN - 1) hex_last[1] |= (u128)1 << k;
    }
}
static inline u128 hex_around(u128 b, u128 left, u128 right)
{
    return b << 11 | b >> 11 | ((b << 1 | b >> 10) & ~left) | ((b >> 1 | b << 10) & ~right);
}
static uint32_t hex_play(void)
{
    uint8_t cells[HN * HN + 7];
    memcpy(cells, hex_cells, sizeof cells);
    const u128 left = hex_first[1], right = hex_last[1];
    u128 own[2] = {0, 0}, reach[2] = {0, 0}, rim[2] = {hex_first[0], hex_first[1]};
    u64 x = 0;
    for (uint32_t t = 0, n = HN * HN; n; t++, n--) {
        if (!(t & 3)) x = rng();
        uint32_t k = peel(&x, n), who = t & 1, p = cells[k];
        cells[k] = cells[n - 1];
        u128 bit = (u128)1 << p, mine = own[who] |= bit;
        if (!(rim[who] & bit)) continue;
        u128 got = reach[who], edge = rim[who], add = bit;
        do {
            got |= add;
            u128 near = hex_around(add, left, right);
            edge |= near;
            add = near & mine & ~got;
        } while (add);
        if (got & hex_last[who])
            RET(t + 1, who);
        reach[who] = got;
        rim[who] = edge;
    }
    RET(HN * HN, 2);                               /* cannot happen           */
}

/* ---- Breakthrough 8x8: the mover always goes up; bswap turns the board ----- */
static uint32_t bt_play(void)
{
    const u64 not_a = 0xFEFEFEFEFEFEFEFEull, not_h = 0x7F7F7F7F7F7F7F7Full;
    u64 me = 0xFFFF, you = 0xFFFF000000000000ull, x = 0;
    for (uint32_t t = 0;; t++) {
        u64 f = (me << 8) & ~(me | you);
        u64 l = ((me & not_a) << 7) & ~me, r = ((me & not_h) << 9) & ~me;
        uint32_t nf = (uint32_t)__builtin_popcountll(f);
        uint32_t nl = (uint32_t)__builtin_popcountll(l);
        uint32_t nr = (uint32_t)__builtin_popcountll(r);
        if (!(t & 3)) x = rng();
        uint32_t k = peel(&x, nf + nl + nr);
        /* branch-free choice of the direction */
        uint32_t in1 = k >= nf, in2 = k >= nf + nl;
        u64 set = in2 ? r : in1 ? l : f;
        uint32_t sh = in2 ? 9 : in1 ? 7 : 8, base = in2 ? nf + nl : in1 ? nf : 0;
        u64 b = kth_bit(set, k - base);
        me ^= b | (b >> sh);
        you &= ~b;
        if ((b >> 56) | !you)
            RET(t + 1, t & 1);
        u64 s = __builtin_bswap64(me);
        me = __builtin_bswap64(you);
        you = s;
    }
}

/* ---- Reversi 8x8: four directions in a vector, both ways ------------------- */
typedef u64 v4 __attribute__((vector_size(32)));
static const v4 rv_sh = {1, 8, 7, 9};
static const v4 rv_sh2 = {2, 16, 14, 18};
static const v4 rv_mid = {0x7E7E7E7E7E7E7E7Eull, ~0ull, 0x7E7E7E7E7E7E7E7Eull, 0x7E7E7E7E7E7E7E7Eull};
static inline u64 fold(v4 a) { return (a[0] | a[1]) | (a[2] | a[3]); }
static inline u64 rv_moves(u64 me, u64 you)
{
    v4 m = {me, me, me, me}, y = {you, you, you, you};
    y &= rv_mid;
    v4 a = y & (m << rv_sh), b = y & (m >> rv_sh);
    a |= y & (a << rv_sh);
    b |= y & (b >> rv_sh);
    v4 ya = y & (y << rv_sh), yb = y & (y >> rv_sh);
    a |= ya & (a << rv_sh2);
    b |= yb & (b >> rv_sh2);
    a |= ya & (a << rv_sh2);
    b |= yb & (b >> rv_sh2);
    return fold((a << rv_sh) | (b >> rv_sh)) & ~(me | you);
}
static inline u64 rv_flips(u64 me, u64 you, u64 put)
{
    v4 m = {me, me, me, me}, y = {you, you, you, you}, p = {put, put, put, put};
    y &= rv_mid;
    v4 a = y & (p << rv_sh), b = y & (p >> rv_sh);
    a |= y & (a << rv_sh);
    b |= y & (b >> rv_sh);
    v4 ya = y & (y << rv_sh), yb = y & (y >> rv_sh);
    a |= ya & (a << rv_sh2);
    b |= yb & (b >> rv_sh2);
    a |= ya & (a << rv_sh2);
    b |= yb & (b >> rv_sh2);
    /* keep a run only where one of our discs closes it */
    v4 ka = (v4)(((a << rv_sh) & m) != 0), kb = (v4)(((b >> rv_sh) & m) != 0);
    return fold((a & ka) | (b & kb));
}
static uint32_t rv_play(void)
{
    u64 me = 0x0000000810000000ull, you = 0x0000001008000000ull, x = 0;
    uint32_t t = 0, who = 0;
    u64 mv = rv_moves(me, you);
    for (;;) {
        if (!(t & 3)) x = rng();
        u64 b = kth_bit(mv, peel(&x, (uint32_t)__builtin_popcountll(mv)));
        u64 fl = rv_flips(me, you, b);
        u64 s = me ^ b ^ fl;
        me = you ^ fl;
        you = s;
        who ^= 1;
        t++;
        mv = rv_moves(me, you);
        if (!mv) {
            mv = rv_moves(you, me);
            if (!mv) break;
            s = me; me = you; you = s;
            who ^= 1;
            t++;
            if (!(t & 3)) x = rng();               /* keep the peel short     */
        }
    }
    int a = __builtin_popcountll(me), b = __builtin_popcountll(you);
    RET(t, a == b ? 2 : (a > b ? who : who ^ 1));
}

/* ---- Gomoku 15x15: a 15-bit word for each row, column and diagonal --------- */
#define GN 15
static uint8_t gm_cells[232];
static uint8_t gm_line[256][4], gm_bit[256][4];
static void gm_init(void)
{
    for (int r = 0, k = 0; r < GN; r++)
        for (int c = 0; c < GN; c++, k++) {
            gm_cells[k] = (uint8_t)k;
            gm_line[k][0] = (uint8_t)r;            gm_bit[k][0] = (uint8_t)c;
            gm_line[k][1] = (uint8_t)(GN + c);     gm_bit[k][1] = (uint8_t)r;
            gm_line[k][2] = (uint8_t)(2 * GN + r - c + GN - 1);
            gm_bit[k][2] = (uint8_t)c;
            gm_line[k][3] = (uint8_t)(4 * GN - 1 + r + c);
            gm_bit[k][3] = (uint8_t)c;
        }
}
static uint32_t gm_play(void)
{
    uint8_t cells[232];
    uint16_t ln[2][96];
    memcpy(cells, gm_cells, sizeof cells);
    memset(ln, 0, sizeof ln);
    u64 x = 0;
    for (uint32_t t = 0, n = GN * GN; n; t++, n--) {
        if (!(t & 3)) x = rng();
        uint32_t k = peel(&x, n), who = t & 1, p = cells[k];
        cells[k] = cells[n - 1];
        uint16_t *l = ln[who];
        const uint8_t *li = gm_line[p], *bi = gm_bit[p];
        u64 a = l[li[0]] |= (uint16_t)(1u << bi[0]);
        u64 b = l[li[1]] |= (uint16_t)(1u << bi[1]);
        u64 c = l[li[2]] |= (uint16_t)(1u << bi[2]);
        u64 d = l[li[3]] |= (uint16_t)(1u << bi[3]);
        /* four 16-bit lanes; bit 15 of a lane is always 0, so no lane leaks */
        u64 w = a | b << 16 | c << 32 | d << 48;
        u64 w2 = w & (w >> 1), w4 = w2 & (w2 >> 2), w5 = w4 & (w >> 4);
#ifdef EXACT5
        w5 &= ~(w5 >> 1) & ~(w5 << 1);
#endif
        if (w5)
            RET(t + 1, who);
    }
    RET(GN * GN, 2);
}

/* ---- Consta 11x11 ----------------------------------------------------------
 * The empty cells are a list.  With n of them there are n(n+1)/2 turns before
 * the crosscut rule: i below n and j below n+1 make every one of them twice (j = n
 * stands for a second stack on i).  A turn that leaves a tied crosscut is drawn
 * again.  16-bit rows give the 3x3 cells around a stone in one load and one pext;
 * two small tables turn those of both colours into the crosscuts that the stone
 * stands in.  ne and nw hold the diagonal links of a side (bit of the lower cell).
 * reach, rim as in Hex; a side's reach is found anew only when a link inside it was
 * cut.  Tried and slower: no rim (85 %
 * of the speed), reach found anew in every turn (67 %), rows and columns by division
 * (98 %), no stop at the last edge (97 %). */
#define CN 11
static uint8_t cn_cells[CN * CN + 7], cn_row[CN * CN], cn_col[CN * CN];
static uint8_t cn_diag[512], cn_orth[512];
static const int8_t cn_dr[4] = {-1, -1, 1, 1}, cn_dc[4] = {-1, 1, -1, 1};
static u128 cn_first[2], cn_last[2];               /* P1 bottom/top, P2 left/right */
static void cn_init(void)
{
    static const uint16_t diag[4] = {1 << 0, 1 << 2, 1 << 6, 1 << 8};
    static const uint16_t orth[4] = {1 << 1 | 1 << 3, 1 << 1 | 1 << 5, 1 << 7 | 1 << 3,
                                     1 << 7 | 1 << 5};
    for (int m = 0; m < 512; m++)
        for (int i = 0; i < 4; i++) {
            if (m & diag[i]) cn_diag[m] |= (uint8_t)(1 << i);
            if ((m & orth[i]) == orth[i]) cn_orth[m] |= (uint8_t)(1 << i);
        }
    for (int k = 0; k < CN * CN; k++) {
        cn_cells[k] = (uint8_t)k;
        cn_row[k] = (uint8_t)(k / CN);
        cn_col[k] = (uint8_t)(k % CN);
        if (k / CN == 0) cn_first[0] |= (u128)1 << k;
        if (k / CN == CN - 1) cn_last[0] |= (u128)1 << k;
        if (k % CN == 0) cn_first[1] |= (u128)1 << k;
        if (k % CN == CN - 1) cn_last[1] |= (u128)1 << k;
    }
}
typedef struct {
    uint16_t row[2][16], tall[16];                 /* row r+1, bit c+1        */
    u128 own[2], ne[2], nw[2], reach[2], rim[2];
    int cut[2];                                    /* a link in reach is gone */
} cn_board;
/* The nine cells around (r, c), bit 4 the cell itself. */
static inline uint32_t cn_nine(const uint16_t *rows, uint32_t r, uint32_t c)
{
    u64 three;
    memcpy(&three, rows + r, 8);
    return (uint32_t)_pext_u64(three >> c, 0x000700070007ull);
}
static inline uint32_t cn_crosscuts(const cn_board *b, uint32_t me, uint32_t r, uint32_t c)
{
    return cn_diag[cn_nine(b->row[me], r, c)] & cn_orth[cn_nine(b->row[me ^ 1], r, c)];
}
static inline int cn_tall(const cn_board *b, uint32_t r, uint32_t c)
{
    return b->tall[r + 1] >> (c + 1) & 1;
}
/* By how much the pair of (r, c) and its diagonal neighbour i is the higher one. */
static inline int cn_lead(const cn_board *b, uint32_t r, uint32_t c, uint32_t i)
{
    uint32_t dr = r + (uint32_t)cn_dr[i], dc = c + (uint32_t)cn_dc[i];
    return cn_tall(b, r, c) + cn_tall(b, dr, dc) - cn_tall(b, r, dc) - cn_tall(b, dr, c);
}
static inline int cn_tied(const cn_board *b, uint32_t me, uint32_t r, uint32_t c)
{
    for (uint32_t x = cn_crosscuts(b, me, r, c); x; x &= x - 1)
        if (!cn_lead(b, r, c, (uint32_t)__builtin_ctz(x))) return 1;
    return 0;
}
/* Links of a new stone, and the links that it cuts. */
static inline void cn_link(cn_board *b, uint32_t me, uint32_t k, uint32_t r, uint32_t c)
{
    uint32_t you = me ^ 1, d = cn_diag[cn_nine(b->row[me], r, c)];
    uint32_t x = d & cn_orth[cn_nine(b->row[you], r, c)];
    for (; x; x &= x - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(x);
        if (cn_lead(b, r, c, i) < 0) {
            d &= ~(1u << i);
            continue;
        }
        uint32_t low = (cn_dr[i] < 0 ? r - 1 : r) * CN + c, high;
        if ((cn_dr[i] < 0) == (cn_dc[i] < 0)) {    /* we are ne, they are nw  */
            low += cn_dc[i] < 0 ? 0 : 1;
            high = low + CN - 1;
            b->nw[you] &= ~((u128)1 << low);
        } else {
            low -= cn_dc[i] < 0 ? 1 : 0;
            high = low + CN + 1;
            b->ne[you] &= ~((u128)1 << low);
        }
        u128 both = (u128)1 << low | (u128)1 << high;
        b->cut[you] |= (b->reach[you] & both) == both;
    }
    b->ne[me] |= (u128)(d >> 3 & 1) << k;
    b->nw[me] |= (u128)(d >> 2 & 1) << k;
    if (d & 1) b->ne[me] |= (u128)1 << (k - CN - 1);
    if (d & 2) b->nw[me] |= (u128)1 << (k - CN + 1);
}
static inline int cn_joined(cn_board *b, uint32_t who, u128 fresh)
{
    const u128 left = cn_first[1], right = cn_last[1];
    u128 own = b->own[who], ne = b->ne[who], nw = b->nw[who], got, edge, add;
#define CN_NEAR(f) (f << CN | f >> CN | (f << 1 & ~left) | (f >> 1 & ~right) | (f & ne) << (CN + 1) | \
                    (f >> (CN + 1) & ne) | (f & nw) << (CN - 1) | (f >> (CN - 1) & nw))
    if (b->cut[who]) {
        b->cut[who] = 0;
        got = 0;
        edge = cn_first[who];
        add = own & edge;
    } else {
        if (!(b->rim[who] & fresh)) return 0;
        got = b->reach[who];
        edge = b->rim[who];
        u128 near = CN_NEAR(fresh) & got;
        add = (CN_NEAR(near) | cn_first[who]) & fresh;
    }
    while (add) {
        got |= add;
        if (add & cn_last[who]) return 1;
        u128 wide = add | (add << 1 & ~left) | (add >> 1 & ~right);
        edge |= wide | wide << CN | wide >> CN;
        add = CN_NEAR(add) & own & ~got;
    }
    b->reach[who] = got;
    b->rim[who] = edge;
    return 0;
}
/* Whether any turn is legal; asked after many refusals only. */
static uint32_t cn_stuck(cn_board *b, uint32_t me, const uint8_t *cells, uint32_t n)
{
    int legal = 0;
    for (uint32_t i = 0; i < n && !legal; i++)
        for (uint32_t j = i; j < n && !legal; j++) {
            uint32_t p = cells[i], q = cells[j], pr = p / CN, pc = p % CN, qr = q / CN, qc = q % CN;
            b->row[me][pr + 1] ^= (uint16_t)(2u << pc);
            if (p != q) b->row[me][qr + 1] ^= (uint16_t)(2u << qc);
            else b->tall[pr + 1] ^= (uint16_t)(2u << pc);
            legal = !cn_tied(b, me, pr, pc) && !cn_tied(b, me, qr, qc);
            b->row[me][pr + 1] ^= (uint16_t)(2u << pc);
            if (p != q) b->row[me][qr + 1] ^= (uint16_t)(2u << qc);
            else b->tall[pr + 1] ^= (uint16_t)(2u << pc);
        }
    return !legal;
}
static uint32_t cn_play(void)
{
    uint8_t cells[CN * CN + 7];
    cn_board b;
    memcpy(cells, cn_cells, sizeof cells);
    memset(&b, 0, sizeof b);
    b.rim[0] = cn_first[0];
    b.rim[1] = cn_first[1];
    uint32_t n = CN * CN, skips = 0, turns = 1;
    u128 fresh[2] = {0, 0};
    {   /* Black's first stone */
        uint32_t i = below(n), p = cells[i];
        cells[i] = cells[--n];
        b.row[0][p / CN + 1] |= (uint16_t)(2u << p % CN);
        b.own[0] = fresh[0] = (u128)1 << p;
    }
    for (uint32_t me = 1;; me ^= 1) {
        uint32_t refused = 0, stuck = 0, i = 0, j = 0, p = 0, q = 0;
        uint32_t pr = 0, pc = 0, qr = 0, qc = 0;
        u64 x = 0;
        for (;;) {
            if (!(refused & 3)) x = rng();
            if ((!n || refused == 1000) && (stuck = cn_stuck(&b, me, cells, n))) break;
            i = peel(&x, n);
            j = peel(&x, n + 1);
            if (j == n) j = i;
            p = cells[i], q = cells[j];
            pr = cn_row[p], pc = cn_col[p], qr = cn_row[q], qc = cn_col[q];
            b.row[me][pr + 1] |= (uint16_t)(2u << pc);
            b.row[me][qr + 1] |= (uint16_t)(2u << qc);
            if (i == j) b.tall[pr + 1] |= (uint16_t)(2u << pc);
            if (!cn_tied(&b, me, pr, pc) && !cn_tied(&b, me, qr, qc)) break;
            b.row[me][pr + 1] &= (uint16_t)~(2u << pc);
            b.row[me][qr + 1] &= (uint16_t)~(2u << qc);
            b.tall[pr + 1] &= (uint16_t)~(2u << pc);
            refused++;
        }
        if (stuck) {
            if (cn_joined(&b, me ^ 1, fresh[me ^ 1])) RET(turns, me ^ 1);
            fresh[me ^ 1] = 0;
            if (++skips == 2) RET(turns, 2);
            continue;
        }
        skips = 0;
        turns++;
        b.own[me] |= fresh[me] = (u128)1 << p | (u128)1 << q;
        cn_link(&b, me, p, pr, pc);
        if (i != j) cn_link(&b, me, q, qr, qc);
        if (i < j) { uint32_t t = i; i = j; j = t; }
        cells[i] = cells[--n];
        if (i != j) cells[j] = cells[--n];
        if (cn_joined(&b, me ^ 1, fresh[me ^ 1])) RET(turns, me ^ 1);
        fresh[me ^ 1] = 0;
    }
}

/* ---- Amazons 10x10 ---------------------------------------------------------
 * A 10-bit word of what stands on each row, column and diagonal; a table gives the
 * cells of a line that a queen slides to.  The goals of the mover's queens are
 * counted, 16 lines in all.  While there are more than AM_FEW of them the arrow is
 * drawn by rejection: a goal by number, and a number below the most cells that any
 * queen sees (35); both again if the goal sees fewer.  Else the arrows of all goals
 * are counted.  So every triple is as likely as every other.
 * Tried and slower: rejection alone (60 % of the speed), counting alone (35 %),
 * AM_FEW 8 instead of 16 (90 %). */
#define AN 10
#define AM_FEW 16
#define AM_LINES 58                                /* rows, columns, 2 x 19 diagonals */
static uint16_t am_slide[AN][1 << AN];
static uint8_t am_line[AN * AN][4], am_bit[AN * AN][4];
static uint8_t am_cell[AM_LINES][AN];
static const uint8_t am_queens[2][4] = {{3, 6, 30, 39}, {60, 69, 93, 96}};
static uint16_t am_rim[AM_LINES];                  /* bits of a line off the board */
static void am_init(void)
{
    for (int at = 0; at < AN; at++)
        for (int m = 0; m < 1 << AN; m++) {
            for (int i = at + 1; i < AN && !(m >> i & 1); i++) am_slide[at][m] |= (uint16_t)(1 << i);
            for (int i = at - 1; i >= 0 && !(m >> i & 1); i--) am_slide[at][m] |= (uint16_t)(1 << i);
        }
    for (int i = 0; i < AM_LINES; i++) am_rim[i] = (1 << AN) - 1;
    for (int r = 0, k = 0; r < AN; r++)
        for (int c = 0; c < AN; c++, k++) {
            const int line[4] = {r, AN + c, 2 * AN + r - c + AN - 1, 4 * AN - 1 + r + c};
            const int bit[4] = {c, r, c, c};
            for (int i = 0; i < 4; i++) {
                am_line[k][i] = (uint8_t)line[i];
                am_bit[k][i] = (uint8_t)bit[i];
                am_cell[line[i]][bit[i]] = (uint8_t)k;
                am_rim[line[i]] &= (uint16_t)~(1 << bit[i]);
            }
        }
}
static inline void am_turn(uint16_t *full, uint32_t k)
{
    for (int i = 0; i < 4; i++) full[am_line[k][i]] ^= (uint16_t)(1u << am_bit[k][i]);
}
/* The cells that a queen on k slides to, as four words in one. */
static inline u64 am_seen(const uint16_t *full, uint32_t k)
{
    u64 w = 0;
    for (int i = 0; i < 4; i++)
        w |= (u64)am_slide[am_bit[k][i]][full[am_line[k][i]]] << 16 * i;
    return w;
}
/* Cell number n of such a word. */
static inline uint32_t am_pick(u64 seen, uint32_t k, uint32_t n)
{
    uint32_t at = (uint32_t)__builtin_ctzll(kth_bit(seen, n));
    return am_cell[am_line[k][at >> 4]][at & 15];
}
/* Queen q of the mover goes to a cell and shoots at one that it sees from there. */
static inline void am_move(uint16_t *full, uint8_t *mine, uint32_t q, uint32_t to, uint32_t shot)
{
    am_turn(full, mine[q]);
    am_turn(full, to);
    am_turn(full, shot);
    mine[q] = (uint8_t)to;
}
static inline void am_counted(uint16_t *full, uint8_t *mine, const u64 *seen)
{
    u64 shots[AM_FEW], x = rng();
    uint32_t upto[AM_FEW], to[AM_FEW], queen[AM_FEW], n = 0, total = 0, i = 0;
    for (uint32_t q = 0; q < 4; q++) {
        if (!seen[q]) continue;
        am_turn(full, mine[q]);
        for (u64 w = seen[q]; w; w &= w - 1, n++) {
            queen[n] = q;
            to[n] = am_pick(w, mine[q], 0);
            shots[n] = am_seen(full, to[n]);
            upto[n] = total += (uint32_t)__builtin_popcountll(shots[n]);
        }
        am_turn(full, mine[q]);
    }
    uint32_t k = peel(&x, total);
    while (k >= upto[i]) i++;
    am_move(full, mine, queen[i], to[i], am_pick(shots[i], to[i], i ? k - upto[i - 1] : k));
}
static inline void am_refused(uint16_t *full, uint8_t *mine, const u64 *seen, const uint32_t *upto)
{
    for (;;) {
        u64 x = rng();
        uint32_t g = peel(&x, upto[3]), a = peel(&x, 35);
        uint32_t q = (g >= upto[0]) + (g >= upto[1]) + (g >= upto[2]);
        uint32_t to = am_pick(seen[q], mine[q], q ? g - upto[q - 1] : g);
        am_turn(full, mine[q]);
        u64 shots = am_seen(full, to);
        am_turn(full, mine[q]);
        if (a >= (uint32_t)__builtin_popcountll(shots)) continue;
        am_move(full, mine, q, to, am_pick(shots, to, a));
        return;
    }
}
static uint32_t am_play(void)
{
    uint16_t full[AM_LINES];
    uint8_t queens[2][4];
    memcpy(full, am_rim, sizeof full);
    memcpy(queens, am_queens, sizeof queens);
    for (int i = 0; i < 8; i++) am_turn(full, queens[i >> 2][i & 3]);
    for (uint32_t turns = 0;; turns++) {
        uint8_t *mine = queens[turns & 1];
        u64 seen[4];
        uint32_t upto[4], n = 0;
        for (int i = 0; i < 4; i++) {
            seen[i] = am_seen(full, mine[i]);
            upto[i] = n += (uint32_t)__builtin_popcountll(seen[i]);
        }
        if (!n) RET(turns, (turns & 1) ^ 1);       /* blocked: the other has won */
        if (n <= AM_FEW) am_counted(full, mine, seen);
        else am_refused(full, mine, seen, upto);
    }
}

/* ---- driver ---------------------------------------------------------------- */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);    /* the machine is shared   */
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static u64 total_n, total_moves, total_res[4];
/* One timed run of one game; inlined a game so that the playout is inlined too. */
static inline __attribute__((always_inline)) double run(uint32_t (*play)(void), double secs)
{
    u64 n = 0, moves = 0, res[4] = {0, 0, 0, 0};
    double t0 = now(), t1;
    do {
        for (int i = 0; i < 256; i++) {
            uint32_t r = play();
            moves += r >> 2;
            res[r & 3]++;
        }
        n += 256;
        t1 = now();
    } while (t1 - t0 < secs);
    total_n += n;
    total_moves += moves;
    for (int i = 0; i < 4; i++) total_res[i] += res[i];
    return (double)n / (t1 - t0);
}
#define GAME(NAME, PLAY) static double run_##PLAY(double s) { return run(PLAY, s); }
GAME("", ttt_play) GAME("", c4_play) GAME("", hex_play)
GAME("", bt_play) GAME("", rv_play) GAME("", gm_play)
GAME("", cn_play) GAME("", am_play)
static const struct { const char *name; double (*run)(double); } games[] = {
    {"tic_tac_toe", run_ttt_play}, {"connect_four", run_c4_play}, {"hex11", run_hex_play},
    {"breakthrough", run_bt_play}, {"reversi", run_rv_play},      {"gomoku15", run_gm_play},
    {"consta11", run_cn_play},   {"amazons", run_am_play},
};

int main(int argc, char **argv)
{
    double secs = 2;
    int runs = 3, o;
    u64 seed = 1;
    while ((o = getopt(argc, argv, "s:r:x:")) != -1) {
        if (o == 's') secs = atof(optarg);
        else if (o == 'r') runs = atoi(optarg);
        else if (o == 'x') seed = strtoull(optarg, 0, 0);
        else return 2;
    }
    if (runs < 1) runs = 1;
    if (runs > 99) runs = 99;
    ttt_init();
    hex_init();
    gm_init();
    cn_init();
    am_init();
    printf("| game | playouts/s | moves/s | mean length | P1 | P2 | draw | playouts |\n");
    printf("|---|---:|---:|---:|---:|---:|---:|---:|\n");
    for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
        int want = optind == argc;
        for (int i = optind; i < argc; i++) want |= !strcmp(argv[i], games[g].name);
        if (!want) continue;
        double rate[99];
        total_n = total_moves = 0;
        memset(total_res, 0, sizeof total_res);
        rng_state = seed * 0xA0761D6478BD642Full;
        games[g].run(0.2);                         /* warm up, not counted    */
        total_n = total_moves = 0;
        memset(total_res, 0, sizeof total_res);
        for (int i = 0; i < runs; i++) rate[i] = games[g].run(secs);
        qsort(rate, (size_t)runs, sizeof *rate, by_value);
        double n = (double)total_n, len = (double)total_moves / n, m = rate[runs / 2];
        printf("| %s | %.0f | %.0f | %.3f | %.4f | %.4f | %.4f | %.0f |\n", games[g].name, m,
               m * len, len, (double)total_res[0] / n, (double)total_res[1] / n,
               (double)total_res[2] / n, n);
        fflush(stdout);
    }
    return 0;
}
