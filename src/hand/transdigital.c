/* angle = w . (1, bends of the other four fingers), w by recursive least squares (Ljung 1999, 11.2)
 * with a memory of 30 seconds. It starts from the correlation of neighbours: ring and little finger
 * share muscles and follow their neighbours by 0.7, index and middle by 0.5, the thumb follows
 * nobody (after the order of enslavement in Zatsiorsky, Li & Latash 2000). What the prediction was
 * off by when the finger vanished fades (TRANS_FADE). */
#include "hand/transdigital.h"

#include "base/elementary.h"
#include "hand/hand_constants.h"

/* Share of each finger's bend in every other's at the start. */
static const double trans_start[SNW_HAND_FINGERS][SNW_HAND_FINGERS] = {
    {0, 0, 0, 0, 0}, {0, 0, 0.5, 0, 0}, {0, 0.3, 0, 0.5, 0}, {0, 0, 0.5, 0, 0.3}, {0, 0, 0, 0.7, 0},
};

static void inputs_of(int finger, const double bend[SNW_HAND_FINGERS], double x[SNW__TRANS_INPUTS])
{
    int n = 0;
    x[n++] = 1;
    for (int k = 0; k < SNW_HAND_FINGERS; k++)
        if (k != finger) x[n++] = bend[k];
}

void snw__trans_start(snw__trans *trans, int finger)
{
    double share[SNW__TRANS_INPUTS];
    inputs_of(finger, trans_start[finger], share);
    for (int i = 0; i < SNW__TRANS_INPUTS; i++) {
        /* A bend is base and middle flexion together, each about half of it. */
        trans->weight[0][i] = 0;
        trans->weight[1][i] = trans->weight[2][i] = i == 0 ? 0.1 : 0.5 * share[i];
        for (int j = 0; j < SNW__TRANS_INPUTS; j++)
            trans->p[i][j] = i == j ? (i == 0 ? 25.0 : 5.0) : 0;
    }
    for (int k = 0; k < 3; k++)
        trans->offset[k] = 0;
    trans->hidden = 0;
}

static double predict_one(const snw__trans *trans, int k, const double x[SNW__TRANS_INPUTS])
{
    double sum = 0;
    for (int i = 0; i < SNW__TRANS_INPUTS; i++)
        sum += trans->weight[k][i] * x[i];
    return sum;
}

void snw__trans_learn(snw__trans *trans, int finger, const double bend[SNW_HAND_FINGERS],
                      const double angle[4], double dt)
{
    double x[SNW__TRANS_INPUTS], px[SNW__TRANS_INPUTS], trace = 0;
    inputs_of(finger, bend, x);
    trans->hidden = 0;
    if (dt > 0) {
        /* P is in units of the noise's variance; a frame counts by its time, a tenth of a second as
         * one look. */
        double looks = fmin(1, dt / 0.1), denominator = TRANS_NOISE / looks;
        double forget = 1 + fmin(1, dt / TRANS_MEMORY);
        for (int i = 0; i < SNW__TRANS_INPUTS; i++) {
            px[i] = 0;
            for (int j = 0; j < SNW__TRANS_INPUTS; j++)
                px[i] += trans->p[i][j] * x[j];
            denominator += x[i] * px[i];
            trace += trans->p[i][i];
        }
        for (int k = 0; k < 3; k++) {
            double error = angle[k] - predict_one(trans, k, x);
            for (int i = 0; i < SNW__TRANS_INPUTS; i++)
                trans->weight[k][i] += px[i] * error / denominator;
        }
        for (int i = 0; i < SNW__TRANS_INPUTS; i++)
            for (int j = 0; j < SNW__TRANS_INPUTS; j++)
                trans->p[i][j] =
                    (trans->p[i][j] - px[i] * px[j] / denominator) * (trace < 50 ? forget : 1);
    }
    for (int k = 0; k < 3; k++)
        trans->offset[k] = angle[k] - predict_one(trans, k, x);
}

void snw__trans_predict(snw__trans *trans, int finger, const double bend[SNW_HAND_FINGERS],
                        double dt, double angle[3])
{
    double x[SNW__TRANS_INPUTS];
    inputs_of(finger, bend, x);
    trans->hidden += fmax(0, dt);
    double fade = snw__exp(-trans->hidden / TRANS_FADE);
    for (int k = 0; k < 3; k++)
        angle[k] = predict_one(trans, k, x) + fade * trans->offset[k];
}
