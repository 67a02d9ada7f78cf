/* What is said about one joint, in plain words. */
#include "actor/joint_finding.h"

#include "center/center.h"

void snw__joint_finding_judge(snw_joint_finding *finding)
{
    snw_center center = snw__center_none(SNW_CENTER_TWO_SIDED);
    center.motion = finding->type;
    center.range[0] = finding->range;
    center.sigma = finding->uncertainty;
    center.axis_sigma = SNW_PI;
    center.undetermined = finding->is_place_free ? 1 : 0;
    char words[SNW_VERDICT_SIZE];
    snw_format(finding->verdict, sizeof finding->verdict, "%s", snw_center_verdict(&center, words));
    finding->is_uncertain = snw__center_is_uncertain(finding->uncertainty, finding->range);
    finding->rival = -1;
}
